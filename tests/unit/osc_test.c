// The whole room over real UDP on loopback, with liblo as the other side.
#include "test.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <lo/lo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "osc/osc.h"

enum { PATIENCE = 10000 }; // ms until a wait counts as failed

static Osc *open_any(void)
{
    char why[256];
    Osc *osc = osc_open(&(OscDesc){ .port = -1 }, why, sizeof why);
    if (!osc) fail_msg("%s", why);
    return osc;
}

static lo_address address_of(const Osc *osc)
{
    char port[16];
    snprintf(port, sizeof port, "%d", osc_status(osc).port);
    return lo_address_new("127.0.0.1", port);
}

// Until so many datagrams have been received and dealt with.
static void wait_for_packets(const Osc *osc, uint64_t packets)
{
    for (int ms = 0; osc_status(osc).packets < packets; ms++) {
        if (ms == PATIENCE) fail_msg("%d packets came", (int)osc_status(osc).packets);
        usleep(1000);
    }
}

// The next message, waited for.
static Message next_message(Osc *osc)
{
    Message message;
    for (int ms = 0; osc_receive(osc, &message, 1) == 0; ms++) {
        if (ms == PATIENCE) fail_msg("no message came");
        usleep(1000);
    }
    return message;
}

// ---- a client that hears answers ----------------------------------------------------------------

typedef struct {
    lo_server server;
    lo_address to;
    int answers;
    char path[128], types[128], text[256];
    float number;
} Client;

static int on_answer(const char *path, const char *types, lo_arg **argv, int argc,
                     lo_message message, void *heard)
{
    (void)message;
    Client *client = heard;
    client->answers++;
    snprintf(client->path, sizeof client->path, "%s", path);
    snprintf(client->types, sizeof client->types, "%s", types);
    // Not argv[0]->f: liblo's arguments lie at any multiple of 4, a lo_arg at one of 8.
    if (argc > 0 && types[0] == 'f') memcpy(&client->number, argv[0], sizeof client->number);
    if (argc > 1 && types[1] == 's')
        snprintf(client->text, sizeof client->text, "%s", (const char *)argv[1]);
    return 0;
}

static void client_open(Client *client, const Osc *osc)
{
    memset(client, 0, sizeof *client);
    client->server = lo_server_new(NULL, NULL);
    client->to = address_of(osc);
    assert_non_null(client->server);
    lo_server_add_method(client->server, NULL, NULL, on_answer, client);
}

static void client_close(Client *client)
{
    lo_address_free(client->to);
    lo_server_free(client->server);
}

static bool client_hears(Client *client, int ms)
{
    return lo_server_recv_noblock(client->server, ms) > 0;
}

static void client_send(const Client *client, const char *path, float number)
{
    assert_true(
        lo_send_from(client->to, client->server, LO_TT_IMMEDIATE, path, "f", (double)number) > 0);
}

// ---- receiving ----------------------------------------------------------------------------------

static void messages_arrive_in_their_order(void **state)
{
    (void)state;
    Osc *osc = open_any();
    const lo_address to = address_of(osc);
    assert_true(lo_send(to, "/forces/gravity", "f", -9.75) > 0);
    assert_true(lo_send(to, "/show/preset", "s", "ember") > 0);
    assert_true(lo_send(to, "/forces/wind", "idT", 1, 2.5) > 0);
    assert_true(lo_send(to, "/show/next", "") > 0);
    wait_for_packets(osc, 4);

    Message got[8];
    assert_int_equal(osc_receive(osc, got, 8), 4);
    assert_string_equal(got[0].path, "/forces/gravity");
    assert_true(got[0].number[0] == -9.75);
    assert_string_equal(got[1].text, "ember");
    assert_string_equal(got[2].types, "fff");
    assert_true(got[2].number[1] == 2.5 && got[2].number[2] == 1);
    assert_string_equal(got[3].types, "");
    assert_int_not_equal(got[3].sender, 0);
    assert_int_equal(osc_receive(osc, got, 8), 0);

    const OscStatus status = osc_status(osc);
    assert_int_equal(status.packets, 4);
    assert_int_equal(status.messages, 4);
    assert_int_equal(status.dropped + status.malformed + status.overtaken + status.strangers, 0);
    assert_string_equal(status.last, "/show/next");
    lo_address_free(to);
    osc_close(osc);
}

// Its time tag lies years ahead.
static void a_bundle_is_its_messages_at_once(void **state)
{
    (void)state;
    Osc *osc = open_any();
    const lo_address to = address_of(osc);
    const lo_bundle bundle = lo_bundle_new((lo_timetag){ 0xf0000000, 0 });
    for (int i = 0; i < 3; i++) {
        const lo_message message = lo_message_new();
        lo_message_add_int32(message, i);
        lo_bundle_add_message(bundle, (const char *[]){ "/a", "/b", "/c" }[i], message);
    }
    assert_true(lo_send_bundle(to, bundle) > 0);
    lo_bundle_free_recursive(bundle);
    wait_for_packets(osc, 1);

    Message got[4];
    assert_int_equal(osc_receive(osc, got, 4), 3);
    for (int i = 0; i < 3; i++) assert_true(got[i].number[0] == i);
    lo_address_free(to);
    osc_close(osc);
}

static void send_raw(int port, const void *data, int size)
{
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    const struct sockaddr_in to = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    assert_int_equal(sendto(fd, data, (size_t)size, 0, (const struct sockaddr *)&to, sizeof to),
                     size);
    close(fd);
}

static void odd_packets_are_counted_and_harmless(void **state)
{
    (void)state;
    Osc *osc = open_any();
    const int port = osc_status(osc).port;
    static const char large[60000] = "/large";
    send_raw(port, "", 0);
    send_raw(port, "abc", 3);
    send_raw(port, "/ab\0,b\0\0", 8);
    send_raw(port, large, sizeof large);
    send_raw(port, "/ab\0,f\0\0\x3f\x80\0\0", 12);
    wait_for_packets(osc, 5);

    const Message got = next_message(osc);
    assert_string_equal(got.path, "/ab");
    assert_int_equal(osc_status(osc).malformed, 4);
    assert_int_equal(osc_status(osc).messages, 1);
    osc_close(osc);
}

static void only_allowed_senders_are_heard(void **state)
{
    (void)state;
    for (int allowed = 0; allowed < 2; allowed++) {
        char why[256];
        Osc *osc =
            osc_open(&(OscDesc){ .port = -1, .allow = allowed ? "127.0.0.0/8" : "192.168.1.0/24" },
                     why, sizeof why);
        assert_non_null(osc);
        const lo_address to = address_of(osc);
        lo_send(to, "/a", "f", 1.0);
        wait_for_packets(osc, 1);
        Message got;
        assert_int_equal(osc_receive(osc, &got, 1), allowed);
        assert_int_equal(osc_status(osc).strangers, !allowed);
        lo_address_free(to);
        osc_close(osc);
    }
}

// ---- answering ----------------------------------------------------------------------------------

static void an_answer_reaches_the_one_who_asked(void **state)
{
    (void)state;
    Osc *osc = open_any();
    Client clients[2];
    Message asked[2];
    for (int i = 0; i < 2; i++) {
        client_open(&clients[i], osc);
        client_send(&clients[i], "/forces/gravity", 1);
        asked[i] = next_message(osc);
    }
    assert_int_not_equal(asked[0].sender, asked[1].sender);
    for (int i = 1; i >= 0; i--) {
        Message answer = { .path = "/forces/gravity", .types = "fs", .number = { 10 + i } };
        strcpy(answer.text, i ? "one" : "nought");
        answer.sender = asked[i].sender;
        osc_reply(osc, &answer);
    }
    for (int i = 0; i < 2; i++) {
        assert_true(client_hears(&clients[i], PATIENCE));
        assert_string_equal(clients[i].path, "/forces/gravity");
        assert_string_equal(clients[i].types, "fs");
        assert_true(clients[i].number == (float)(10 + i));
        assert_string_equal(clients[i].text, i ? "one" : "nought");
        assert_int_equal(clients[i].answers, 1);
        client_close(&clients[i]);
    }
    osc_close(osc);
}

static void a_refusal_names_address_and_reason(void **state)
{
    (void)state;
    Osc *osc = open_any();
    Client client;
    client_open(&client, osc);
    client_send(&client, "/forces/levity", 1);
    const Message refused = next_message(osc);
    osc_refuse(osc, &refused, "nothing is called levity");
    assert_true(client_hears(&client, PATIENCE));
    assert_string_equal(client.path, "/error");
    assert_string_equal(client.types, "ss");
    assert_string_equal(client.text, "nothing is called levity");
    client_close(&client);
    osc_close(osc);
}

static void a_long_reason_is_cut_between_letters(void **state)
{
    (void)state;
    Osc *osc = open_any();
    Client client;
    client_open(&client, osc);
    char path[MESSAGE_PATH] = "/";
    memset(path + 1, 'p', sizeof path - 2);
    path[sizeof path - 1] = 0;
    client_send(&client, path, 1);
    const Message refused = next_message(osc);
    assert_string_equal(refused.path, path);

    char why[400] = "";
    for (int i = 0; i < 100; i++) strcat(why, "\xe2\x82\xac"); // a euro
    osc_refuse(osc, &refused, why);
    assert_true(client_hears(&client, PATIENCE));
    assert_true(strlen(client.text) > 100);
    assert_int_equal(strlen(client.text) % 3, 0);
    client_close(&client);
    osc_close(osc);
}

// The decoder refuses by itself; the sender still learns why.
static void a_blob_is_answered_with_its_reason(void **state)
{
    (void)state;
    Osc *osc = open_any();
    Client client;
    client_open(&client, osc);
    const lo_message message = lo_message_new();
    const lo_blob blob = lo_blob_new(3, "abc");
    lo_message_add_blob(message, blob);
    lo_send_message_from(client.to, client.server, "/show/preset", message);
    assert_true(client_hears(&client, PATIENCE));
    assert_string_equal(client.path, "/error");
    assert_non_null(strstr(client.text, "blob"));
    assert_int_equal(osc_status(osc).malformed, 1);
    lo_blob_free(blob);
    lo_message_free(message);
    client_close(&client);
    osc_close(osc);
}

// Whatever the frame says: an answer to the last, honest message proves that the queue is through.
static void replies_and_errors_are_never_answered(void **state)
{
    (void)state;
    Osc *osc = open_any();
    Client client;
    client_open(&client, osc);
    const char *const paths[] = { "/error", "/reply", "/reply/forces/gravity", "/errors" };
    for (int i = 0; i < COUNT_OF(paths); i++) {
        client_send(&client, paths[i], 1);
        Message message = next_message(osc);
        osc_refuse(osc, &message, "no");
        osc_reply(osc, &message);
        lo_send_from(client.to, client.server, LO_TT_IMMEDIATE, paths[i], "I");
    }
    client_send(&client, "/honest", 1);
    Message message = next_message(osc);
    const uint32_t sender = message.sender;
    message.sender = 0;
    osc_refuse(osc, &message, "nobody");
    osc_reply(osc, &message);
    message.sender = sender + 1000; // never given out
    osc_reply(osc, &message);
    message.sender = sender;
    osc_reply(osc, &message);

    assert_true(client_hears(&client, PATIENCE));
    assert_string_equal(client.path, "/honest");
    assert_false(client_hears(&client, 0));
    assert_int_equal(client.answers, 1);
    client_close(&client);
    osc_close(osc);
}

static void many_refusals_are_few_answers(void **state)
{
    (void)state;
    Osc *osc = open_any();
    Client client;
    client_open(&client, osc);
    client_send(&client, "/bad", 1);
    const Message refused = next_message(osc);
    for (int i = 0; i < 100; i++) osc_refuse(osc, &refused, "no");
    Message last = refused;
    strcpy(last.path, "/last");
    osc_reply(osc, &last);
    while (strcmp(client.path, "/last") != 0) assert_true(client_hears(&client, PATIENCE));
    assert_true(client.answers >= 21);  // at least those of one second, and the last
    assert_true(client.answers <= 100); // and some were kept back
    client_close(&client);
    osc_close(osc);
}

// ---- the socket ---------------------------------------------------------------------------------

static void a_busy_port_names_the_next_free_one(void **state)
{
    (void)state;
    Osc *first = open_any();
    const int port = osc_status(first).port;
    char why[256] = "", busy[64];
    assert_null(osc_open(&(OscDesc){ .port = port }, why, sizeof why));
    snprintf(busy, sizeof busy, "OSC: port %d is busy", port);
    assert_memory_equal(why, busy, strlen(busy));
    const char *offered = strstr(why, "--osc-port ");
    assert_non_null(offered);
    const int next = atoi(offered + strlen("--osc-port "));
    assert_true(next > port);

    Osc *second = osc_open(&(OscDesc){ .port = next }, why, sizeof why);
    if (!second) fail_msg("%s", why);
    assert_string_equal(why, "");
    const lo_address to = address_of(second);
    lo_send(to, "/second", "f", 1.0);
    assert_string_equal(next_message(second).path, "/second");
    lo_address_free(to);
    osc_close(second);
    osc_close(first);
}

static void odd_words_are_refused_with_a_sentence(void **state)
{
    (void)state;
    const OscDesc odd[] = {
        { .port = 70000 },
        { .port = -2 },
        { .port = -1, .bind = "example" },
        { .port = -1, .bind = "" },
        { .port = -1, .bind = "192.0.2.1" }, // nobody's
        { .port = -1, .allow = "everybody" },
    };
    for (int i = 0; i < COUNT_OF(odd); i++) {
        char why[256] = "";
        assert_null(osc_open(&odd[i], why, sizeof why));
        assert_memory_equal(why, "OSC: ", 5);
    }
}

// The addresses that /proc/net/udp gives for a port, as the hex text of a little-endian machine.
static int listens_on(int port, char address[16])
{
    char line[256];
    int found = 0;
    FILE *table = fopen("/proc/net/udp", "r");
    if (!table) return -1;
    while (fgets(line, sizeof line, table)) {
        char local[16];
        unsigned local_port = 0;
        if (sscanf(line, " %*d: %15[0-9A-F]:%x", local, &local_port) != 2) continue;
        if ((int)local_port != port) continue;
        found++;
        strcpy(address, local);
    }
    fclose(table);
    return found;
}

static void only_this_machine_reaches_it_by_default(void **state)
{
    (void)state;
    Osc *osc = open_any();
    assert_string_equal(osc_status(osc).bind, "127.0.0.1");
    char address[16] = "";
    const int found = listens_on(osc_status(osc).port, address);
    osc_close(osc);
    if (found < 0) skip();
    assert_int_equal(found, 1);
    assert_string_equal(address, "0100007F");
}

static bool open_files(bool open[1024])
{
    memset(open, 0, 1024 * sizeof *open);
    DIR *dir = opendir("/proc/self/fd");
    if (!dir) return false;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        const int fd = atoi(entry->d_name);
        if (fd != dirfd(dir) && entry->d_name[0] != '.' && fd < 1024) open[fd] = true;
    }
    closedir(dir);
    return true;
}

static void child_processes_inherit_nothing(void **state)
{
    (void)state;
    bool before[1024], after[1024], closed[1024];
    if (!open_files(before)) skip();
    Osc *osc = open_any();
    open_files(after);
    int opened = 0;
    for (int fd = 0; fd < 1024; fd++) {
        if (before[fd] || !after[fd]) continue;
        opened++;
        assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    }
    assert_true(opened >= 1);
    osc_close(osc);
    open_files(closed);
    assert_memory_equal(before, closed, sizeof before);
}

static void it_listens_on_ipv6_where_there_is_some(void **state)
{
    (void)state;
    char why[256];
    Osc *osc = osc_open(&(OscDesc){ .port = -1, .bind = "::1", .allow = "::1" }, why, sizeof why);
    if (!osc) skip();
    const int fd = socket(AF_INET6, SOCK_DGRAM, 0);
    const struct sockaddr_in6 to = {
        .sin6_family = AF_INET6,
        .sin6_port = htons((uint16_t)osc_status(osc).port),
        .sin6_addr = IN6ADDR_LOOPBACK_INIT,
    };
    assert_int_equal(sendto(fd, "/v6\0,T\0\0", 8, 0, (const struct sockaddr *)&to, sizeof to), 8);
    const Message got = next_message(osc);
    assert_string_equal(got.path, "/v6");
    osc_reply(osc, &got);
    char answer[64];
    assert_int_equal(recv(fd, answer, sizeof answer, 0), 12);
    assert_memory_equal(answer, "/v6\0,f\0\0\x3f\x80\0\0", 12);
    close(fd);
    osc_close(osc);
}

static void closing_takes_nothing_and_opens_again(void **state)
{
    (void)state;
    osc_close(NULL);
    int port = -1;
    for (int i = 0; i < 50; i++) {
        char why[256];
        Osc *osc = osc_open(&(OscDesc){ .port = port }, why, sizeof why);
        if (!osc) fail_msg("%s", why);
        port = osc_status(osc).port;
        osc_close(osc);
    }
}

// ---- floods -------------------------------------------------------------------------------------

enum { FLOOD = 50000, BURST = 100 };

// Sends `count` values to `paths` addresses in turn, never more at once than the kernel holds.
static void flood(Osc *osc, lo_address to, int paths, int count)
{
    for (int i = 0; i < count; i++) {
        char path[32];
        snprintf(path, sizeof path, "/flood/%d", i % paths);
        assert_true(lo_send(to, path, "i", i) > 0);
        if ((i + 1) % BURST == 0) wait_for_packets(osc, (uint64_t)i + 1);
    }
}

// The frame sleeps all the while.
static void a_flood_leaves_the_last_value_of_each_address(void **state)
{
    (void)state;
    enum { PATHS = 10 };
    Osc *osc = open_any();
    const lo_address to = address_of(osc);
    flood(osc, to, PATHS, FLOOD);

    double value[PATHS] = { 0 };
    int calls = 0, given = 0;
    for (; value[PATHS - 1] < FLOOD - 1; calls++) {
        Message got[64];
        const int count = osc_receive(osc, got, 64);
        for (int i = 0; i < count; i++) {
            const int path = atoi(got[i].path + strlen("/flood/"));
            assert_true(got[i].number[0] > value[path] || got[i].number[0] == path);
            value[path] = got[i].number[0];
        }
        given += count;
        if (count == 0) usleep(1000);
        assert_true(calls < PATIENCE);
    }
    for (int i = 0; i < PATHS; i++) assert_true(value[i] == FLOOD - PATHS + i);
    assert_true(given <= 1024 + 256); // never more than the queues hold

    const OscStatus status = osc_status(osc);
    assert_int_equal(status.packets, FLOOD);
    assert_int_equal(status.messages + status.overtaken, FLOOD);
    assert_int_equal(status.dropped, 0);
    lo_address_free(to);
    osc_close(osc);
}

// One call takes all that waits, whatever its room, since old values give way.
static void one_frame_catches_up_with_a_flood(void **state)
{
    (void)state;
    Osc *osc = open_any();
    const lo_address to = address_of(osc);
    flood(osc, to, 1, 1000);
    Message got[16];
    const int count = osc_receive(osc, got, 16);
    assert_true(count >= 1 && count <= 16);
    assert_true(got[count - 1].number[0] == 999);
    assert_int_equal(osc_receive(osc, got, 16), 0);
    lo_address_free(to);
    osc_close(osc);
}

// Texts never give way: what does not fit is lost, newest first, and counted.
static void what_cannot_give_way_is_bounded_and_counted(void **state)
{
    (void)state;
    enum { SENT = 3000 };
    Osc *osc = open_any();
    const lo_address to = address_of(osc);
    for (int i = 0; i < SENT; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        assert_true(lo_send(to, "/text", "s", text) > 0);
        if ((i + 1) % BURST == 0) wait_for_packets(osc, (uint64_t)i + 1);
    }
    const int dropped = (int)osc_status(osc).dropped, kept = SENT - dropped;
    assert_in_range(kept, 1024, 1024 + 256);
    for (int i = 0; i < kept; i++) assert_int_equal(atoi(next_message(osc).text), i);
    Message none;
    assert_int_equal(osc_receive(osc, &none, 1), 0);
    assert_int_equal(osc_status(osc).dropped, dropped);
    lo_address_free(to);
    osc_close(osc);
}

// The frame reads while the thread moves messages from its shelf: none may overtake another.
static void texts_keep_their_order_under_pressure(void **state)
{
    (void)state;
    enum { SENT = 20000 };
    Osc *osc = open_any();
    const lo_address to = address_of(osc);
    int last = -1, given = 0;
    for (int i = 0; i < SENT; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        lo_send(to, "/text", "s", text);
        if (i < 1500 || i % 50 != 0) continue;
        Message got[48];
        const int count = osc_receive(osc, got, 48);
        for (int j = 0; j < count; j++) {
            assert_true(atoi(got[j].text) > last);
            last = atoi(got[j].text);
        }
        given += count;
    }
    assert_true(given > 1000);
    lo_address_free(to);
    osc_close(osc);
}

static int bundle_of_values(unsigned char data[16384])
{
    const lo_bundle bundle = lo_bundle_new(LO_TT_IMMEDIATE);
    for (int i = 0; i < 400; i++) {
        const lo_message message = lo_message_new();
        lo_message_add_int32(message, i);
        lo_bundle_add_message(bundle, "/flood", message);
    }
    size_t size = 0;
    assert_true(lo_bundle_length(bundle) <= 16384);
    lo_bundle_serialise(bundle, data, &size);
    lo_bundle_free_recursive(bundle);
    return (int)size;
}

// Large bundles, faster than they can be decoded: what the kernel loses is in the count too, from the
// next packet on.
static void nothing_is_lost_uncounted(void **state)
{
    (void)state;
    enum { SENT = 2000 };
    Osc *osc = open_any();
    const int port = osc_status(osc).port;
    unsigned char data[16384];
    const int size = bundle_of_values(data);
    for (int i = 0; i < SENT; i++) send_raw(port, data, size);

    uint64_t sent = SENT, seen = 0;
    while (seen < sent) {
        assert_true(sent < SENT + 200);
        send_raw(port, "/end\0\0\0\0,T\0\0", 12);
        sent++;
        usleep(20000);
        Message got[256];
        osc_receive(osc, got, 256);
        seen = osc_status(osc).packets + osc_status(osc).dropped;
    }
    assert_int_equal(seen, sent);
    osc_close(osc);
}

static void answers_go_out_during_a_flood_and_closing_is_clean(void **state)
{
    (void)state;
    Osc *osc = open_any();
    Client client;
    client_open(&client, osc);
    for (int i = 0; i < 2000; i++) client_send(&client, "/flood", (float)i);
    const Message asked = next_message(osc);
    osc_reply(osc, &asked);
    assert_true(client_hears(&client, PATIENCE));
    for (int i = 0; i < 2000; i++) client_send(&client, "/flood", (float)i);
    osc_close(osc); // with full queues
    client_close(&client);
}

// ---- another program ----------------------------------------------------------------------------

// Exit code of `oscsend`, 127 where it is not installed.
static int oscsend(int port, const char *path, const char *types, const char *a, const char *b)
{
    char number[16];
    snprintf(number, sizeof number, "%d", port);
    const pid_t child = fork();
    if (child == 0) {
        execlp("oscsend", "oscsend", "127.0.0.1", number, path, types, a, b, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void oscsend_is_understood(void **state)
{
    (void)state;
    Osc *osc = open_any();
    const int port = osc_status(osc).port;
    const int result = oscsend(port, "/emitters/spark/rate", "fi", "0.5", "3");
    if (result == 127) {
        osc_close(osc);
        skip();
    }
    assert_int_equal(result, 0);
    const Message numbers = next_message(osc);
    assert_string_equal(numbers.path, "/emitters/spark/rate");
    assert_string_equal(numbers.types, "ff");
    assert_true(numbers.number[0] == 0.5 && numbers.number[1] == 3);

    assert_int_equal(oscsend(port, "/show/preset", "ss", "ember", "slow fade"), 0);
    const Message texts = next_message(osc);
    assert_string_equal(texts.types, "ss");
    assert_memory_equal(texts.text, "ember\0slow fade", 16);

    assert_int_equal(oscsend(port, "/show/next", NULL, NULL, NULL), 0);
    assert_string_equal(next_message(osc).types, "");
    osc_close(osc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_arrive_in_their_order),
        cmocka_unit_test(a_bundle_is_its_messages_at_once),
        cmocka_unit_test(odd_packets_are_counted_and_harmless),
        cmocka_unit_test(only_allowed_senders_are_heard),
        cmocka_unit_test(an_answer_reaches_the_one_who_asked),
        cmocka_unit_test(a_refusal_names_address_and_reason),
        cmocka_unit_test(a_long_reason_is_cut_between_letters),
        cmocka_unit_test(a_blob_is_answered_with_its_reason),
        cmocka_unit_test(replies_and_errors_are_never_answered),
        cmocka_unit_test(many_refusals_are_few_answers),
        cmocka_unit_test(a_busy_port_names_the_next_free_one),
        cmocka_unit_test(odd_words_are_refused_with_a_sentence),
        cmocka_unit_test(only_this_machine_reaches_it_by_default),
        cmocka_unit_test(child_processes_inherit_nothing),
        cmocka_unit_test(it_listens_on_ipv6_where_there_is_some),
        cmocka_unit_test(closing_takes_nothing_and_opens_again),
        cmocka_unit_test(a_flood_leaves_the_last_value_of_each_address),
        cmocka_unit_test(one_frame_catches_up_with_a_flood),
        cmocka_unit_test(what_cannot_give_way_is_bounded_and_counted),
        cmocka_unit_test(texts_keep_their_order_under_pressure),
        cmocka_unit_test(nothing_is_lost_uncounted),
        cmocka_unit_test(answers_go_out_during_a_flood_and_closing_is_clean),
        cmocka_unit_test(oscsend_is_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
