// What hands say: an address and arguments, done completely or not at all.
#include "control/message.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

Message message_number(const char *path, double number)
{
    Message message = { .types = "f", .number = { number } };
    snprintf(message.path, sizeof message.path, "%s%s", *path == '/' ? "" : "/", path);
    return message;
}

Message message_text(const char *path, const char *text)
{
    Message message = { .types = "s" };
    snprintf(message.path, sizeof message.path, "%s%s", *path == '/' ? "" : "/", path);
    snprintf(message.text, sizeof message.text, "%s", text);
    return message;
}

// ---- one message on its way ----

MessageResult refuse(const Order *order, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(order->why, (size_t)order->why_size, format, args);
    va_end(args);
    return MESSAGE_REFUSED;
}

// Finds the arguments; false when the message is not well made.
static bool take_arguments(Order *order)
{
    const Message *message = order->message;
    const char *text = message->text, *end = message->text + sizeof message->text;
    if (!memchr(message->types, 0, sizeof message->types)) return false;
    order->count = (int)strlen(message->types);
    for (int i = 0; i < order->count; i++) {
        order->texts[i] = NULL;
        if (message->types[i] == 'f') continue;
        const char *zero = memchr(text, 0, (size_t)(end - text));
        if (message->types[i] != 's' || !zero) return false;
        order->texts[i] = text;
        text = zero + 1;
    }
    return true;
}

// The text as a number, when all of it is one.
static bool number_in(const char *text, double *number)
{
    char *end;
    if (*text == 0 || *text == ' ') return false;
    *number = strtod(text, &end);
    return *end == 0;
}

static bool word_value(const ParamRow *row, const char *word, double *value)
{
    if (row->kind == KIND_ENUM) {
        *value = row_choice_find(row, word);
        return *value >= 0;
    }
    if (row->kind != KIND_BOOL) return false;
    *value = strcmp(word, "true") == 0;
    return *value == 1 || strcmp(word, "false") == 0;
}

bool take_number(const Order *order, const ParamRow *row, int index, double *value)
{
    const char *text = order->texts[index];
    *value = order->message->number[index];
    if (text && order->mode == MODE_PLAIN && word_value(row, text, value)) return true;
    if (text && !number_in(text, value)) {
        if (row->kind == KIND_ENUM)
            refuse(order, "/%s takes one of %s", order->path, row->unit);
        else
            refuse(order, "/%s takes a number, not \"%.40s\"", order->path, text);
        return false;
    }
    if (isfinite(*value)) return true;
    refuse(order, "/%s takes a finite number", order->path);
    return false;
}

// ---- numbers ----

static void put_number(const Order *order, ParamId id, double value)
{
    const ParamRow *row = params_row(id);
    if (order->mode == MODE_NORM)
        params_set_norm(order->params, id, value);
    else if (order->mode == MODE_INC)
        params_set(order->params, id,
                   clampd(params_base(order->params, id) + value, row->min, row->max));
    else
        params_set(order->params, id, value);
}

static bool toggles(const Order *order, ParamId id, int index, double *value)
{
    const char *text = order->texts[index];
    if (!text || params_row(id)->kind != KIND_BOOL || strcmp(text, "toggle") != 0) return false;
    *value = params_base(order->params, id) == 0;
    return order->mode == MODE_PLAIN;
}

// One number a leaf, all checked before the first is set.
static MessageResult set_numbers(const Order *order, ParamId first, int count)
{
    double values[MESSAGE_ARGS];
    if (order->count != count)
        return refuse(order, "/%s takes %d number%s, not %d", order->path, count,
                      count > 1 ? "s" : "", order->count);
    for (int i = 0; i < count; i++)
        if (!toggles(order, first + i, i, &values[i]) &&
            !take_number(order, params_row(first + i), i, &values[i]))
            return MESSAGE_REFUSED;
    for (int i = 0; i < count; i++) put_number(order, first + i, values[i]);
    return MESSAGE_DONE;
}

// ---- answers ----

static void say_number(Message *answer, double number)
{
    const size_t count = strlen(answer->types);
    answer->types[count] = 'f';
    answer->number[count] = number;
}

static void say_stops(Message *answer, const Stops *stops, int width)
{
    for (int i = 0; i < stops->count; i++) {
        say_number(answer, stops->at[i]);
        for (int v = 0; v < width; v++) say_number(answer, stops->value[i][v]);
    }
}

static void say_value(const Order *order, ParamId id)
{
    const ParamKind kind = params_row(id)->kind;
    if (kind == KIND_TEXT) {
        order->answer->types[0] = 's';
        snprintf(order->answer->text, MESSAGE_TEXT, "%s", params_text(order->params, id));
    } else if (kind_has_stops(kind)) {
        say_stops(order->answer, params_stops(order->params, id), stops_width(kind));
    } else {
        say_number(order->answer, order->mode == MODE_NORM ? params_norm(order->params, id)
                                                           : params_base(order->params, id));
    }
}

static MessageResult ask(const Order *order, ParamId first, int count)
{
    if (order->mode == MODE_INC) return refuse(order, "/inc/%s takes a number", order->path);
    if (order->mode == MODE_NORM && !kind_is_number(params_row(first)->kind))
        return refuse(order, "/%s has no range for /norm", order->path);
    if (!order->answer) return MESSAGE_DONE;
    memset(order->answer, 0, sizeof *order->answer);
    memcpy(order->answer->path, order->message->path, MESSAGE_PATH);
    order->answer->sender = order->message->sender;
    for (int i = 0; i < count; i++) say_value(order, first + i);
    return MESSAGE_ANSWERED;
}

// ---- other kinds ----

// A button sends 1 when pressed and 0 when let go: only the press fires.
static MessageResult fire(const Order *order, ParamId id)
{
    int slot;
    double value = 1;
    const Owner owner = params_owner(id, &slot, NULL);
    if (order->count > 1) return refuse(order, "/%s takes no more than one number", order->path);
    if (order->count == 1 && !take_number(order, params_row(id), 0, &value)) return MESSAGE_REFUSED;
    if (value == 0) return MESSAGE_DONE;
    params_set(order->params, id, 1);
    if (owner != OWNER_GLOBAL && strcmp(params_row(id)->path, "remove") == 0)
        params_remove(order->params, owner, slot);
    return MESSAGE_DONE;
}

static MessageResult set_text(const Order *order, ParamId id)
{
    char reason[MESSAGE_TEXT];
    if (order->count != 1 || !order->texts[0])
        return refuse(order, "/%s takes one text", order->path);
    if (params_set_text(order->params, id, order->texts[0], reason, sizeof reason))
        return MESSAGE_DONE;
    return refuse(order, "/%s: %s", order->path, reason);
}

static MessageResult set_stops(const Order *order, ParamId id)
{
    char reason[MESSAGE_TEXT];
    const ParamRow *row = params_row(id);
    const int width = stops_width(row->kind), stride = width + 1;
    Stops stops = { .count = order->count / stride };
    if (order->count % stride != 0)
        return refuse(order, "/%s takes %s, %d numbers a point", order->path,
                      width == 1 ? "at, value" : "at, r, g, b, opacity", stride);
    if (stops.count > STOPS_MAX)
        return refuse(order, "/%s has at most %d points", order->path, STOPS_MAX);
    for (int i = 0; i < order->count; i++) {
        double value;
        if (!take_number(order, row, i, &value)) return MESSAGE_REFUSED;
        value = clampd(value, -1e30, 1e30);
        if (i % stride == 0)
            stops.at[i / stride] = (float)value;
        else
            stops.value[i / stride][i % stride - 1] = (float)value;
    }
    if (params_set_stops(order->params, id, &stops, reason, sizeof reason)) return MESSAGE_DONE;
    return refuse(order, "/%s: %s", order->path, reason);
}

static MessageResult set_leaf(const Order *order, ParamId id)
{
    const ParamKind kind = params_row(id)->kind;
    if (order->mode != MODE_PLAIN && order->count > 0 && !kind_is_number(kind))
        return refuse(order, "/%s is no number: /norm and /inc do not go", order->path);
    if (kind == KIND_READING && order->count > 0)
        return refuse(order, "/%s is only read", order->path);
    if (kind == KIND_TRIGGER && order->mode == MODE_PLAIN) return fire(order, id);
    if (order->count == 0) return ask(order, id, 1);
    if (kind == KIND_TEXT) return set_text(order, id);
    if (kind_has_stops(kind)) return set_stops(order, id);
    return set_numbers(order, id, 1);
}

// ---- all of a system ----

static MessageResult unknown(const Order *order)
{
    char nearest[MESSAGE_PATH];
    suggest_path(order->params, order->path, nearest, sizeof nearest);
    if (*nearest == 0) return refuse(order, "no parameter /%s", order->path);
    return refuse(order, "no parameter /%s; did you mean /%s?", order->path, nearest);
}

// What `leaf` is to the members of a system: the ids of their rows, `width` of each; 0: nothing.
static int of_members(const Params *params, int system, const char *leaf,
                      ParamId members[SYSTEM_SLOTS], int *width)
{
    int count = 0;
    for (Owner owner = OWNER_EMITTER; owner <= OWNER_FIELD; owner++) {
        const int row = row_find(owner, leaf);
        const RowGroup rows = row >= 0 ? (RowGroup){ row, 1 } : group_find(owner, leaf);
        if (rows.count == 0) continue;
        count += system_members(params, system, owner, rows.first, members + count);
        *width = rows.count;
    }
    return count;
}

// The members have the same rows: what the first one takes, the others do too.
static MessageResult tell_members(const Order *order, int system, const char *leaf)
{
    ParamId members[SYSTEM_SLOTS];
    char first[MESSAGE_PATH];
    int width = 0;
    const int count = of_members(order->params, system, leaf, members, &width);
    if (count == 0) return unknown(order);
    if (order->count == 0) {
        params_path(order->params, members[0], first, sizeof first);
        return refuse(order, "/%s: each of its members has its own; ask /%s", order->path, first);
    }
    for (int i = 0; i < count; i++) {
        const MessageResult result =
            width > 1 ? set_numbers(order, members[i], width) : set_leaf(order, members[i]);
        if (result != MESSAGE_DONE) return result;
    }
    return MESSAGE_DONE;
}

// ---- the door ----

// "emitters/spark/position" or "forces/wind": the first leaf and how many.
static ParamId find_group(const Params *params, const char *path, int *count)
{
    Owner owner;
    int slot;
    const char *stem;
    *count = 0;
    if (!path_split(params, path, &owner, &slot, &stem)) return PARAM_NONE;
    const RowGroup group = group_find(owner, stem);
    *count = group.count;
    return group.count > 0 ? params_id(owner, slot, group.first) : PARAM_NONE;
}

static bool is_add(const char *path, Owner owner)
{
    const size_t length = strlen(owner_name(owner));
    return strncmp(path, owner_name(owner), length) == 0 && strcmp(path + length, "/add") == 0;
}

// What is no value, but can be said to an instance.
static MessageResult tell_instance(const Order *order)
{
    Owner owner;
    int slot;
    const char *leaf;
    if (!path_split(order->params, order->path, &owner, &slot, &leaf) || owner == OWNER_GLOBAL)
        return unknown(order);
    if (order->mode == MODE_PLAIN && strcmp(leaf, "name") == 0) return say_name(order, owner, slot);
    if (owner != OWNER_SYSTEM) return unknown(order);
    if (order->mode == MODE_PLAIN && strcmp(leaf, "hit") == 0) return say_hit(order, slot);
    return tell_members(order, slot, leaf);
}

static MessageResult obey(Order *order)
{
    int count;
    if (!memchr(order->message->path, 0, MESSAGE_PATH) || !take_arguments(order))
        return refuse(order, "the message is not well made");
    if (order->message->path[0] != '/') return refuse(order, "an address begins with a slash");
    order->path = order->message->path + 1;
    if (order->path[strcspn(order->path, "*?[]{}")] != 0)
        return refuse(order, "/%s: patterns in addresses are not understood", order->path);
    for (Owner owner = OWNER_EMITTER; owner < OWNER_COUNT; owner++)
        if (is_add(order->path, owner)) return say_add(order, owner);

    if (strncmp(order->path, "norm/", 5) == 0)
        order->mode = MODE_NORM, order->path += 5;
    else if (strncmp(order->path, "inc/", 4) == 0)
        order->mode = MODE_INC, order->path += 4;
    if (*order->path == '/') return unknown(order); // params_find would take it off
    const ParamId leaf = params_find(order->params, order->path);
    if (leaf != PARAM_NONE) return set_leaf(order, leaf);
    const ParamId group = find_group(order->params, order->path, &count);
    if (group == PARAM_NONE) return tell_instance(order);
    return order->count > 0 ? set_numbers(order, group, count) : ask(order, group, count);
}

MessageResult params_message(Params *params, const Message *message, Message *answer, char *why,
                             int why_size)
{
    Order order = {
        .params = params, .message = message, .answer = answer, .why = why, .why_size = why_size
    };
    const uint64_t refused = params->refused;
    const MessageResult result = obey(&order);
    params->refused = refused + (result == MESSAGE_REFUSED); // once, whatever refused it inside
    return result;
}
