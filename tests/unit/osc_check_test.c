// Packets: what the check lets through, what the decoder makes of it, and that nothing in between
// can be made to crash.
#include "test.h"

#include <arpa/inet.h>
#include <lo/lo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "osc/check.h"
#include "osc/collapse.h"
#include "osc/decode.h"
#include "osc/encode.h"
#include "osc/senders.h"
#include "osc/socket.h"

typedef struct {
    unsigned char data[8192];
    int size;
} Packet;

static void put(Packet *packet, const void *bytes, int count)
{
    memcpy(packet->data + packet->size, bytes, (size_t)count);
    packet->size += count;
}

static void put_int(Packet *packet, uint32_t value)
{
    put(packet, (const unsigned char[]){ value >> 24, value >> 16, value >> 8, value }, 4);
}

static Packet packet_of(lo_message message, const char *path)
{
    Packet packet = { .size = 0 };
    size_t size = 0;
    assert_true(lo_message_length(message, path) <= sizeof packet.data);
    lo_message_serialise(message, path, packet.data, &size);
    lo_message_free(message);
    packet.size = (int)size;
    return packet;
}

static Packet number_packet(const char *path, float number)
{
    const lo_message message = lo_message_new();
    lo_message_add_float(message, number);
    return packet_of(message, path);
}

static Packet bundle_start(void)
{
    Packet packet = { .size = 0 };
    put(&packet, "#bundle\0\0\0\0\0\0\0\0\1", 16);
    return packet;
}

static void put_element(Packet *bundle, const Packet *element)
{
    put_int(bundle, (uint32_t)element->size);
    put(bundle, element->data, element->size);
}

// Walks a copy that ends exactly where the packet does, so that the address sanitizer sees a read
// behind it; decodes and encodes all that the check lets through.
typedef struct {
    int messages, refused, malformed;
    Message last;
} Heard;

static Heard hear(const Packet *packet)
{
    Heard heard = { .messages = 0 };
    unsigned char *copy = malloc((size_t)packet->size);
    unsigned char encoded[ENCODED_MAX];
    char why[256];
    if (packet->size > 0) memcpy(copy, packet->data, (size_t)packet->size);
    Walk walk = walk_packet(copy, packet->size);
    unsigned char *message = NULL;
    for (int size = 0; walk_next(&walk, &message, &size);) {
        Message decoded;
        if (decode_message(message, size, &decoded, why, sizeof why)) {
            heard.messages++;
            heard.last = decoded;
            assert_true(encode_message(&decoded, encoded) > 0);
        } else {
            heard.refused++;
        }
    }
    heard.malformed = walk.malformed;
    free(copy);
    return heard;
}

// ---- what is refused ----------------------------------------------------------------------------

typedef struct {
    const char *name;
    const char *data;
    int size;
} Evil;

#define EVIL(name, bytes)                                                                          \
    {                                                                                              \
        name, bytes, sizeof(bytes) - 1                                                             \
    }

static const Evil evil[] = {
    EVIL("nothing", ""),
    EVIL("one byte", "/"),
    EVIL("no end", "/abc"),
    EVIL("four letters without 0", "/abcdefg"),
    EVIL("not a multiple of four", "/a\0\0,\0\0"),
    EVIL("no slash", "abc\0,\0\0\0"),
    EVIL("an empty address", "\0\0\0\0,\0\0\0"),
    EVIL("a letter in the padding", "/a\0x,\0\0\0"),
    EVIL("a bell in the address", "/a\a\0,\0\0\0"),
    EVIL("a letter beyond ASCII", "/\xc3\xa4\0,\0\0\0"),
    EVIL("tags without comma", "/ab\0ff\0\0\0\0\0\0\0\0\0\0"),
    EVIL("tags without end", "/ab\0,fff"),
    EVIL("an unknown tag", "/ab\0,x\0\0\0\0\0\0"),
    EVIL("an array", "/ab\0,[f]\0\0\0\0\0\0\0\0"),
    EVIL("i without data", "/ab\0,i\0\0"),
    EVIL("d cut in half", "/ab\0,d\0\0\0\0\0\0"),
    EVIL("a text without data", "/ab\0,s\0\0"),
    EVIL("a text without end", "/ab\0,s\0\0abcd"),
    EVIL("a blob without data", "/ab\0,b\0\0"),
    EVIL("a blob longer than the packet", "/ab\0,b\0\0\0\0\0\5abcd"),
    EVIL("a blob of negative length", "/ab\0,b\0\0\xff\xff\xff\xfc"),
    EVIL("a blob of the largest length", "/ab\0,b\0\0\x7f\xff\xff\xff"),
    EVIL("a blob with dirty padding", "/ab\0,b\0\0\0\0\0\3abcd"),
    EVIL("data behind the last argument", "/ab\0,f\0\0\0\0\0\0\0\0\0\0"),
    EVIL("half a bundle head", "#bundle\0\0\0\0\0"),
    EVIL("a bundle element of length 0", "#bundle\0\0\0\0\0\0\0\0\1\0\0\0\0"),
    EVIL("a bundle element of length 3", "#bundle\0\0\0\0\0\0\0\0\1\0\0\0\3/ab\0"),
    EVIL("a bundle element too long", "#bundle\0\0\0\0\0\0\0\0\1\0\0\0\x10/ab\0,\0\0\0"),
    EVIL("a bundle element of negative length", "#bundle\0\0\0\0\0\0\0\0\1\xff\xff\xff\xf8/ab\0"),
    EVIL("a bundle named otherwise", "#bundel\0\0\0\0\0\0\0\0\1"),
};

static Packet packet_of_evil(const Evil *row)
{
    Packet packet = { .size = 0 };
    put(&packet, row->data, row->size);
    return packet;
}

static void evil_packets_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(evil); i++) {
        const Packet packet = packet_of_evil(&evil[i]);
        const Heard heard = hear(&packet);
        if (heard.messages != 0 || heard.malformed != 1)
            fail_msg("%s: %d messages, %d malformed", evil[i].name, heard.messages,
                     heard.malformed);
    }
}

// These are well-formed, but no value a Message could hold.
static void what_cannot_be_held_is_refused_with_a_sentence(void **state)
{
    (void)state;
    char text[MESSAGE_TEXT + 1], path[MESSAGE_PATH + 1];
    memset(text, 'x', sizeof text - 1);
    memset(path, 'x', sizeof path - 1);
    text[sizeof text - 1] = path[sizeof path - 1] = 0;
    path[0] = '/';

    lo_message messages[6];
    for (int i = 0; i < 6; i++) messages[i] = lo_message_new();
    const lo_blob blob = lo_blob_new(5, "bytes");
    lo_message_add_blob(messages[0], blob);
    lo_blob_free(blob);
    lo_message_add_midi(messages[1], (uint8_t[4]){ 0, 0x90, 60, 100 });
    lo_message_add_infinitum(messages[2]);
    for (int i = 0; i <= MESSAGE_ARGS; i++) lo_message_add_float(messages[3], 1);
    lo_message_add_string(messages[4], text);
    lo_message_add_float(messages[5], 1);

    for (int i = 0; i < 6; i++) {
        Packet packet = packet_of(messages[i], i == 5 ? path : "/forces/gravity");
        assert_true(check_message(packet.data, packet.size));
        Message message;
        char why[256] = "";
        assert_false(decode_message(packet.data, packet.size, &message, why, sizeof why));
        assert_true(strlen(why) > 10);
        assert_int_equal(strncmp(message.path, i == 5 ? path : "/forces/gravity", MESSAGE_PATH - 1),
                         0);
        assert_int_equal(message.path[MESSAGE_PATH - 1], 0);
    }
}

static void too_many_colours_are_refused(void **state)
{
    (void)state;
    Packet packet = { .size = 0 };
    put(&packet, "/ab\0,", 5);
    for (int i = 0; i < 25; i++) put(&packet, "r", 1); // 100 numbers
    put(&packet, "\0\0", 2);
    for (int i = 0; i < 25; i++) put_int(&packet, 0xffffffff);
    const Heard heard = hear(&packet);
    assert_int_equal(heard.messages, 0);
    assert_int_equal(heard.refused, 1);
}

// ---- what passes --------------------------------------------------------------------------------

static void each_type_decodes_to_what_was_sent(void **state)
{
    (void)state;
    const lo_message sent = lo_message_new();
    lo_message_add_int32(sent, -7);
    lo_message_add_float(sent, 0.1f);
    lo_message_add_double(sent, 0.1);
    lo_message_add_int64(sent, INT64_C(1) << 40);
    lo_message_add_char(sent, 'A');
    lo_message_add_true(sent);
    lo_message_add_false(sent);
    lo_message_add_nil(sent);
    lo_message_add_timetag(sent, (lo_timetag){ 100, 0x80000000 });
    lo_message_add_string(sent, "hello");
    lo_message_add_float(sent, NAN);
    lo_message_add_symbol(sent, "");
    lo_message_add_string(sent, "Gr\xc3\xbc\xc3\x9f"
                                "e");
    const Packet packet = packet_of(sent, "/all/of/them");
    const Heard heard = hear(&packet);
    const Message *got = &heard.last;

    assert_int_equal(heard.messages, 1);
    assert_string_equal(got->path, "/all/of/them");
    assert_string_equal(got->types, "ffffffffsfss"); // N is none
    const double want[] = { -7, 0.1f, 0.1, 1099511627776.0, 'A', 1, 0, 100.5 };
    for (int i = 0; i < COUNT_OF(want); i++) assert_true(got->number[i] == want[i]);
    assert_true(isnan(got->number[9]));
    assert_memory_equal(got->text,
                        "hello\0\0Gr\xc3\xbc\xc3\x9f"
                        "e",
                        6 + 1 + 8);
    assert_int_equal(got->sender, 0);
}

static void a_colour_is_four_numbers(void **state)
{
    (void)state;
    Packet packet = { .size = 0 };
    put(&packet, "/look\0\0\0,ris\0\0\0\0\xff\x00\x33\x80\0\0\0\5ok\0\0", 28);
    const Heard heard = hear(&packet);
    assert_int_equal(heard.messages, 1);
    assert_string_equal(heard.last.types, "fffffs");
    const double want[] = { 1, 0, 0x33 / 255.0, 0x80 / 255.0, 5 };
    for (int i = 0; i < 5; i++) assert_true(heard.last.number[i] == want[i]);
    assert_string_equal(heard.last.text, "ok");
}

typedef struct {
    const char *who;
    const char *data;
    int size;
    const char *types;
    double first;
} Foreign;

// As other programs write them, byte by byte.
static const Foreign foreign[] = {
    { "an address alone", "/show/next\0\0", 12, "", 0 },
    { "an address alone that fills its four", "/ab\0", 4, "", 0 },
    { "no arguments", "/ab\0,\0\0\0", 8, "", 0 },
    { "Pure Data: floats only", "/1/fader1\0\0\0,f\0\0\x3f\x00\0\0", 20, "f", 0.5 },
    { "SuperCollider: true as int 1", "/on\0,i\0\0\0\0\0\1", 12, "f", 1 },
    { "TouchOSC: two numbers", "/xy\0,ff\0\x3f\x80\0\0\0\0\0\0", 16, "ff", 1 },
    { "osc.js: true without data", "/on\0,T\0\0", 8, "f", 1 },
    { "SuperCollider: a bundle of one",
      "#bundle\0\xec\x2e\x1d\xd0\x80\0\0\0\0\0\0\x0c/on\0,i\0\0\0\0\0\2", 32, "f", 2 },
    { "osc.js: a double", "/d\0\0,d\0\0\x3f\xe0\0\0\0\0\0\0", 16, "f", 0.5 },
    { "Chataigne: a colour", "/c\0\0,r\0\0\xff\0\0\xff", 12, "ffff", 1 },
    { "nil is no argument", "/on\0,N\0\0", 8, "", 0 },
    { "a pattern is only text", "/*\0\0,f\0\0\x3f\x80\0\0", 12, "f", 1 },
    { "the pattern that freezes liblo", "/layer*a*a*a*a*a*b\0\0,f\0\0\x3f\x80\0\0", 28, "f", 1 },
    { "the address that lists liblo's methods", "/\0\0\0,\0\0\0", 8, "", 0 },
};

static void packets_of_other_programs_are_understood(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(foreign); i++) {
        const Foreign *row = &foreign[i];
        Packet packet = { .size = 0 };
        put(&packet, row->data, row->size);
        const Heard heard = hear(&packet);
        if (heard.messages != 1 || strcmp(heard.last.types, row->types) != 0 ||
            heard.last.number[0] != row->first)
            fail_msg("%s: %d messages, \"%s\"", row->who, heard.messages, heard.last.types);
    }
}

static void the_fullest_message_survives_a_round_trip(void **state)
{
    (void)state;
    Message sent = { .path = "/full", .sender = 0 };
    for (int i = 0; i < MESSAGE_ARGS; i++) {
        sent.types[i] = i < 16 ? 's' : 'f';
        sent.number[i] = i < 16 ? 0 : i * 0.1; // not exactly floats
    }
    for (int i = 0; i < 16; i++) snprintf(sent.text + 16 * i, 16, "text number %03d", i);
    Packet packet;
    packet.size = encode_message(&sent, packet.data);
    const Heard heard = hear(&packet);
    assert_int_equal(heard.messages, 1);
    assert_memory_equal(&heard.last, &sent, sizeof sent);
}

static void numbers_are_floats_where_floats_are_exact(void **state)
{
    (void)state;
    Message message = { .path = "/n", .types = "ffff", .number = { 0.5, 0.1, NAN, 16777217 } };
    Packet packet;
    packet.size = encode_message(&message, packet.data);
    assert_string_equal((const char *)packet.data + 4, ",fdfd");
}

// ---- bundles ------------------------------------------------------------------------------------

static void a_broken_element_costs_only_itself(void **state)
{
    (void)state;
    const Packet first = number_packet("/first", 1), second = number_packet("/second", 2);
    for (int i = 0; i < COUNT_OF(evil); i++) {
        if (evil[i].size % 4 != 0) continue;
        const Packet bad = packet_of_evil(&evil[i]);
        Packet bundle = bundle_start();
        put_element(&bundle, &first);
        put_element(&bundle, &bad);
        put_element(&bundle, &second);
        const Heard heard = hear(&bundle);
        if (heard.messages != 2 || heard.malformed != 1 || strcmp(heard.last.path, "/second") != 0)
            fail_msg("%s: %d messages, %d malformed", evil[i].name, heard.messages,
                     heard.malformed);
    }
}

static void bundles_nest_four_deep(void **state)
{
    (void)state;
    const Packet inner = number_packet("/inner", 1), outer = number_packet("/outer", 2);
    for (int depth = 1; depth <= 6; depth++) {
        Packet packet = inner;
        for (int i = 0; i < depth; i++) {
            Packet bundle = bundle_start();
            put_element(&bundle, &packet);
            put_element(&bundle, &outer);
            packet = bundle;
        }
        const Heard heard = hear(&packet);
        assert_int_equal(heard.messages, depth <= BUNDLE_DEPTH ? depth + 1 : BUNDLE_DEPTH);
        assert_int_equal(heard.malformed, depth <= BUNDLE_DEPTH ? 0 : 1);
        assert_string_equal(heard.last.path, "/outer");
    }
}

static void an_empty_bundle_is_nothing(void **state)
{
    (void)state;
    const Packet bundle = bundle_start();
    const Heard heard = hear(&bundle);
    assert_int_equal(heard.messages, 0);
    assert_int_equal(heard.malformed, 0);
}

static void a_bundle_has_at_most_512_elements(void **state)
{
    (void)state;
    const Packet element = { .data = "/ab", .size = 4 };
    Packet bundle = bundle_start();
    for (int i = 0; i < BUNDLE_ELEMENTS; i++) put_element(&bundle, &element);
    assert_int_equal(hear(&bundle).messages, BUNDLE_ELEMENTS);
    assert_int_equal(hear(&bundle).malformed, 0);
    for (int i = 0; i < 10; i++) put_element(&bundle, &element);
    assert_int_equal(hear(&bundle).messages, BUNDLE_ELEMENTS);
    assert_int_equal(hear(&bundle).malformed, 1);
}

// ---- fuzz ---------------------------------------------------------------------------------------

static Packet rich_bundle(void)
{
    const lo_message all = lo_message_new();
    const lo_blob blob = lo_blob_new(7, "blobbed");
    lo_message_add(all, "ifdhcTFNs", 1, 2.0, 3.0, INT64_C(4), 'c', "text");
    lo_message_add_symbol(all, "symbol");
    lo_message_add_timetag(all, LO_TT_IMMEDIATE);
    lo_message_add_midi(all, (uint8_t[4]){ 1, 2, 3, 4 });
    lo_message_add_blob(all, blob);
    lo_blob_free(blob);
    const Packet full = packet_of(all, "/all"), one = number_packet("/one", 1);
    Packet inner = bundle_start(), outer = bundle_start();
    put_element(&inner, &one);
    put_element(&inner, &full);
    put_element(&outer, &full);
    put_element(&outer, &inner);
    put_element(&outer, &one);
    return outer;
}

static void a_packet_cut_anywhere_is_survived(void **state)
{
    (void)state;
    const Packet bundle = rich_bundle();
    assert_int_equal(hear(&bundle).messages, 2);
    assert_int_equal(hear(&bundle).refused, 2); // the blobs
    for (int size = 0; size < bundle.size; size++) {
        Packet cut = bundle;
        cut.size = size;
        const Heard heard = hear(&cut);
        assert_true(heard.messages < 2);
        // At the seams between elements a shorter bundle is whole again.
        assert_true(heard.malformed <= 1);
        if (size % 4 != 0) assert_int_equal(heard.malformed, 1);
    }
}

static uint32_t chance(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

enum { FUZZED = 300000 };

static void mutate(Packet *packet, uint64_t *seed)
{
    static const char likely[] = "/,#ifdhTFNIsScrmtb\0\0\0\0\1\4\x10\xff";
    for (uint32_t i = chance(seed) % 4 + 1; i > 0; i--) {
        unsigned char *at = &packet->data[chance(seed) % (uint32_t)packet->size];
        const char any = (char)chance(seed);
        *at = (unsigned char)(chance(seed) % 2 ? any : likely[chance(seed) % sizeof likely]);
    }
    if (chance(seed) % 4 == 0) packet->size = 1 + (int)(chance(seed) % (uint32_t)packet->size);
    if (chance(seed) % 2) packet->size = (packet->size + 3) & ~3;
}

static void mutated_packets_never_crash(void **state)
{
    (void)state;
    const Packet bundle = rich_bundle(), one = number_packet("/forces/gravity", 1);
    uint64_t seed = 7;
    int passed = 0, malformed = 0;
    for (int i = 0; i < FUZZED; i++) {
        Packet packet = i % 2 ? bundle : one;
        mutate(&packet, &seed);
        const Heard heard = hear(&packet);
        passed += heard.messages;
        malformed += heard.malformed;
    }
    assert_true(passed > FUZZED / 20); // the fuzz reaches the decoder
    assert_true(malformed > FUZZED / 20);
}

// ---- collapsing ---------------------------------------------------------------------------------

static Message sets(const char *path, double number)
{
    Message message = { .types = "f", .number = { number } };
    snprintf(message.path, sizeof message.path, "%s", path);
    return message;
}

static void the_newest_value_of_each_address_stays(void **state)
{
    (void)state;
    static Message messages[COLLAPSE_MAX];
    for (int i = 0; i < COLLAPSE_MAX; i++)
        messages[i] = sets((const char *[]){ "/a", "/b", "/c" }[i % 3], i);
    assert_int_equal(collapse(messages, COLLAPSE_MAX), 3);
    for (int i = 0; i < 3; i++) assert_true(messages[i].number[0] == COLLAPSE_MAX - 3 + i);
    assert_int_equal(collapse(messages, 0), 0);
}

static void what_is_more_than_a_value_stays(void **state)
{
    (void)state;
    Message text = { .path = "/show/preset", .types = "s", .text = "ember" };
    const Message keep[] = {
        { .path = "/forces/gravity" },        // a question
        text,                                 // a text
        sets("/inc/forces/gravity", 1),       // relative
        sets("/show/next", 1),                // triggers
        sets("/emitters/spark/remove", 1),    //
        sets("/systems/fire/burst", 1),       //
        sets("/systems/fire/hit", 1),         // each counts
        sets("/forces/gravity", (double)NAN), // refused, so it overtakes nothing
        { .path = "/forces/wind", .types = "fs", .text = "x" },
    };
    for (int i = 0; i < COUNT_OF(keep); i++) {
        Message messages[2] = { keep[i], keep[i] };
        if (collapse(messages, 2) != 2) fail_msg("%s was taken away", keep[i].path);
        assert_memory_equal(&messages[1], &keep[i], sizeof keep[i]);
    }
}

// As a group of one number more would be refused, it overtakes nothing either.
static void another_count_of_numbers_is_another_message(void **state)
{
    (void)state;
    Message messages[2] = { sets("/a", 1), sets("/a", 2) };
    messages[1].types[1] = 'f';
    assert_int_equal(collapse(messages, 2), 2);
}

static void a_question_sees_the_values_before_it(void **state)
{
    (void)state;
    Message messages[] = {
        sets("/a", 1), sets("/a", 2), { .path = "/a" }, sets("/a", 3), sets("/a", 4)
    };
    assert_int_equal(collapse(messages, COUNT_OF(messages)), 3);
    assert_true(messages[0].number[0] == 2);
    assert_string_equal(messages[1].types, "");
    assert_true(messages[2].number[0] == 4);
}

// A leaf and its group are two addresses of one number: the order between them must stay.
static void the_newest_keeps_its_place_among_the_others(void **state)
{
    (void)state;
    Message messages[] = { sets("/wind/x", 1), sets("/wind", 0), sets("/wind/x", 5) };
    assert_int_equal(collapse(messages, COUNT_OF(messages)), 2);
    assert_string_equal(messages[0].path, "/wind");
    assert_string_equal(messages[1].path, "/wind/x");
    assert_true(messages[1].number[0] == 5);
}

// ---- whom to answer -----------------------------------------------------------------------------

static struct sockaddr_storage address_number(int number)
{
    struct sockaddr_storage address = { .ss_family = AF_INET };
    memcpy((char *)&address + 2, &number, sizeof number);
    return address;
}

static void the_sender_longest_unheard_gives_way(void **state)
{
    (void)state;
    static Senders senders;
    uint32_t ids[SENDERS + 1];
    for (int i = 0; i < SENDERS; i++) {
        const struct sockaddr_storage address = address_number(i);
        ids[i] = senders_id(&senders, &address, 16);
        assert_int_not_equal(ids[i], 0);
    }
    const struct sockaddr_storage first = address_number(0), late = address_number(SENDERS);
    assert_int_equal(senders_id(&senders, &first, 16), ids[0]); // heard again
    ids[SENDERS] = senders_id(&senders, &late, 16);

    assert_null(senders_find(&senders, ids[1]));
    assert_null(senders_find(&senders, 0));
    for (int i = 0; i <= SENDERS; i++) {
        if (i == 1) continue;
        const struct sockaddr_storage address = address_number(i);
        const Sender *sender = senders_find(&senders, ids[i]);
        assert_non_null(sender);
        assert_memory_equal(&sender->address, &address, 16);
    }
}

static void numbers_of_senders_are_never_0_nor_used_twice(void **state)
{
    (void)state;
    static Senders senders = { .last_id = UINT32_MAX - 1 };
    const struct sockaddr_storage a = address_number(1), b = address_number(2);
    assert_int_equal(senders_id(&senders, &a, 16), UINT32_MAX);
    assert_int_equal(senders_id(&senders, &b, 16), 1);
}

static void at_most_twenty_refusals_in_any_second(void **state)
{
    (void)state;
    RefusalLimit limit = { .next = 0 };
    int64_t granted[2000];
    int count = 0;
    uint64_t seed = 3;
    for (int64_t now = 1; now < 20000000000 && count < 2000; now += chance(&seed) % 40000000)
        if (refusal_granted(&limit, now)) granted[count++] = now;
    assert_true(count > 300);
    for (int i = REFUSALS; i < count; i++)
        assert_true(granted[i] - granted[i - REFUSALS] >= 1000000000);
}

typedef struct {
    const char *cidr, *from;
    bool allowed;
} AllowRow;

static const AllowRow allow_rows[] = {
    { NULL, "1.2.3.4", true },
    { "192.168.1.0/24", "192.168.1.77", true },
    { "192.168.1.0/24", "192.168.2.77", false },
    { "10.0.0.7", "10.0.0.7", true },
    { "10.0.0.7", "10.0.0.8", false },
    { "10.0.0.0/30", "10.0.0.3", true },
    { "10.0.0.0/30", "10.0.0.4", false },
    { "0.0.0.0/0", "9.9.9.9", true },
    { "0.0.0.0/0", "fd00::1", false },
    { "fd00::/8", "fdff::1", true },
    { "fd00::/8", "fe80::1", false },
    { "fe80::/10", "febf::1", true },
    { "fe80::/10", "fec0::1", false },
    { "::/0", "127.0.0.1", true },
    { "192.168.1.0/24", "::ffff:192.168.1.5", true },
};

static SocketAddress socket_address(const char *text)
{
    SocketAddress address = { .size = 16 };
    struct sockaddr_in *ipv4 = (struct sockaddr_in *)&address.address;
    struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)&address.address;
    address.address.ss_family = strchr(text, ':') ? AF_INET6 : AF_INET;
    if (strchr(text, ':'))
        assert_int_equal(inet_pton(AF_INET6, text, &ipv6->sin6_addr), 1);
    else
        assert_int_equal(inet_pton(AF_INET, text, &ipv4->sin_addr), 1);
    return address;
}

static void only_allowed_addresses_are_heard(void **state)
{
    (void)state;
    char why[256];
    for (int i = 0; i < COUNT_OF(allow_rows); i++) {
        const SocketAddress from = socket_address(allow_rows[i].from);
        SocketAllow allow;
        assert_true(socket_allow(&allow, allow_rows[i].cidr, why, sizeof why));
        if (socket_allows(&allow, &from) != allow_rows[i].allowed)
            fail_msg("%s from %s", allow_rows[i].cidr, allow_rows[i].from);
    }
}

static void odd_ranges_are_refused(void **state)
{
    (void)state;
    const char *const odd[] = { "",           "x",          "1.2.3",
                                "1.2.3.4/",   "1.2.3.4/33", "1.2.3.4/x",
                                "1.2.3.4/-1", "1.2.3.4/8x", "::/129",
                                "/24",        "1.2.3.4/ 8", "1.2.3.4/99999999999999999999" };
    for (int i = 0; i < COUNT_OF(odd); i++) {
        char why[256] = "";
        SocketAllow allow;
        if (socket_allow(&allow, odd[i], why, sizeof why)) fail_msg("%s was taken", odd[i]);
        assert_non_null(strstr(why, odd[i]));
    }
}

static void the_kernel_counts_what_it_loses(void **state)
{
    (void)state;
    enum { SENT = 20000 }; // more than its buffer holds
    int port = 0, received = 0;
    char why[256], data[8];
    const int fd = socket_open("127.0.0.1", &port, why, sizeof why);
    const int sender = socket(AF_INET, SOCK_DGRAM, 0);
    SocketAddress to = socket_address("127.0.0.1"), from;
    ((struct sockaddr_in *)&to.address)->sin_port = htons((uint16_t)port);
    assert_true(fd >= 0 && sender >= 0);
    for (int i = 0; i < SENT; i++)
        sendto(sender, "packet", 6, 0, (const struct sockaddr *)&to.address, to.size);

    uint32_t drops = 0;
    while (socket_receive(fd, data, sizeof data, &from, &drops) == 6) received++;
    sendto(sender, "packet", 6, 0, (const struct sockaddr *)&to.address, to.size);
    assert_int_equal(socket_receive(fd, data, sizeof data, &from, &drops), 6);
    assert_true(drops > 0);
    assert_int_equal(received + (int)drops, SENT);
    close(sender);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evil_packets_are_refused),
        cmocka_unit_test(what_cannot_be_held_is_refused_with_a_sentence),
        cmocka_unit_test(too_many_colours_are_refused),
        cmocka_unit_test(each_type_decodes_to_what_was_sent),
        cmocka_unit_test(a_colour_is_four_numbers),
        cmocka_unit_test(packets_of_other_programs_are_understood),
        cmocka_unit_test(the_fullest_message_survives_a_round_trip),
        cmocka_unit_test(numbers_are_floats_where_floats_are_exact),
        cmocka_unit_test(a_broken_element_costs_only_itself),
        cmocka_unit_test(bundles_nest_four_deep),
        cmocka_unit_test(an_empty_bundle_is_nothing),
        cmocka_unit_test(a_bundle_has_at_most_512_elements),
        cmocka_unit_test(a_packet_cut_anywhere_is_survived),
        cmocka_unit_test(mutated_packets_never_crash),
        cmocka_unit_test(the_newest_value_of_each_address_stays),
        cmocka_unit_test(what_is_more_than_a_value_stays),
        cmocka_unit_test(another_count_of_numbers_is_another_message),
        cmocka_unit_test(a_question_sees_the_values_before_it),
        cmocka_unit_test(the_newest_keeps_its_place_among_the_others),
        cmocka_unit_test(the_sender_longest_unheard_gives_way),
        cmocka_unit_test(numbers_of_senders_are_never_0_nor_used_twice),
        cmocka_unit_test(at_most_twenty_refusals_in_any_second),
        cmocka_unit_test(only_allowed_addresses_are_heard),
        cmocka_unit_test(odd_ranges_are_refused),
        cmocka_unit_test(the_kernel_counts_what_it_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
