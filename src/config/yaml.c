#include "config/yaml.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

#include <string.h>
#include <yaml.h>

struct ww_yaml_document {
    ww_arena *arena;
    const char *name;
    const ww_yaml *root;
};

/* The state of one parse. */
typedef struct reader {
    yaml_parser_t parser;
    ww_yaml_document *document;
    const char *bytes;
    size_t count;
    ww_errors *errors;
    int depth;
    bool duplicates; /* reported, but reading went on */
} reader;

typedef WW_VEC(const ww_yaml *) node_vec;

static ww_where where_of(const reader *r, yaml_mark_t mark)
{
    return (ww_where){r->document->name, (int)mark.line + 1, (int)mark.column + 1};
}

/* libyaml gives only a byte offset for characters it cannot decode. */
static ww_where where_of_offset(const reader *r, size_t offset)
{
    ww_where at = {r->document->name, 1, 1};
    for (size_t i = 0; i < offset && i < r->count; i++) {
        at.line += r->bytes[i] == '\n';
        at.col = r->bytes[i] == '\n' ? 1 : at.col + 1;
    }
    return at;
}

static int fail_syntax(reader *r)
{
    const yaml_parser_t *p = &r->parser;
    const char *problem = p->problem ? p->problem : "unknown problem";
    if (p->error == YAML_MEMORY_ERROR)
        ww_out_of_memory(0);
    if (p->error == YAML_READER_ERROR)
        return ww_fail(r->errors, WW_BAD_INPUT, where_of_offset(r, p->problem_offset),
                       "not valid YAML: %s (UTF-8 text is needed)", problem);
    return ww_fail(r->errors, WW_BAD_INPUT, where_of(r, p->problem_mark), "not valid YAML: %s%s%s",
                   problem, p->context ? " " : "", p->context ? p->context : "");
}

static int next_event(reader *r, yaml_event_t *event)
{
    return yaml_parser_parse(&r->parser, event) ? WW_OK : fail_syntax(r);
}

static ww_yaml *new_node(reader *r, ww_yaml_kind kind, const yaml_event_t *event)
{
    ww_yaml *node = ww_arena_alloc(r->document->arena, 1, sizeof(*node));
    node->kind = kind;
    node->at = where_of(r, event->start_mark);
    return node;
}

static const ww_yaml *const *keep_nodes(reader *r, const node_vec *nodes)
{
    const ww_yaml **kept = ww_arena_alloc(r->document->arena, nodes->count + 1, sizeof(*kept));
    if (nodes->count)
        memcpy(kept, nodes->items, nodes->count * sizeof(*kept));
    return kept;
}

/* Anchors and tags are refused: no file of the project gives them a meaning. */
static int refuse_decoration(reader *r, const yaml_event_t *event, const yaml_char_t *anchor,
                             const yaml_char_t *tag)
{
    if (anchor)
        return ww_fail(r->errors, WW_BAD_INPUT, where_of(r, event->start_mark),
                       "anchors are not supported (write the value where it is used)");
    if (tag)
        return ww_fail(r->errors, WW_BAD_INPUT, where_of(r, event->start_mark),
                       "tags are not supported (write the plain value)");
    return WW_OK;
}

static int read_scalar(reader *r, const yaml_event_t *event, const ww_yaml **result)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    int status = refuse_decoration(r, event, event->data.scalar.anchor, event->data.scalar.tag);
    if (status)
        return status;
    if (memchr(text, 0, length))
        return ww_fail(r->errors, WW_BAD_INPUT, where_of(r, event->start_mark),
                       "a NUL character in a value (text without NUL is needed)");
    ww_yaml *node = new_node(r, WW_YAML_SCALAR, event);
    node->text = ww_arena_strndup(r->document->arena, text, length);
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    *result = node;
    return WW_OK;
}

static int read_node(reader *r, const yaml_event_t *event, const ww_yaml **result);

/* Reads the next node, or sets *end when the next event closes the collection. */
static int read_next(reader *r, bool *end, const ww_yaml **result)
{
    yaml_event_t event;
    int status = next_event(r, &event);
    if (status)
        return status;
    *end = event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
    if (!*end)
        status = read_node(r, &event, result);
    yaml_event_delete(&event);
    return status;
}

static int read_sequence(reader *r, const yaml_event_t *event, const ww_yaml **result)
{
    node_vec items = {0};
    const ww_yaml *item = NULL;
    bool end = false;
    ww_yaml *node = new_node(r, WW_YAML_SEQUENCE, event);
    int status = refuse_decoration(r, event, event->data.sequence_start.anchor,
                                   event->data.sequence_start.tag);
    while (!status && !(status = read_next(r, &end, &item)) && !end)
        ww_vec_push(&items, item);
    node->count = items.count;
    node->items = keep_nodes(r, &items);
    ww_vec_free(&items);
    *result = node;
    return status;
}

/* A duplicate is reported and reading goes on, so that all of them are seen. */
static int add_key(reader *r, ww_map *seen, const ww_yaml *key)
{
    if (key->kind != WW_YAML_SCALAR)
        return ww_fail(r->errors, WW_BAD_INPUT, key->at, "a key must be a plain name");
    if (!ww_map_add(seen, key->text, strlen(key->text), (void *)(uintptr_t)key)) {
        const ww_yaml *first = ww_map_find(seen, key->text);
        r->duplicates = true;
        ww_fail(r->errors, WW_BAD_INPUT, key->at, "key '%.60s' is given twice (first on line %d)",
                key->text, first->at.line);
    }
    return WW_OK;
}

static int read_pair(reader *r, ww_map *seen, node_vec *keys, node_vec *items, bool *end)
{
    const ww_yaml *key = NULL, *item = NULL;
    bool no_item = false;
    int status = read_next(r, end, &key);
    if (status || *end)
        return status;
    status = add_key(r, seen, key);
    if (!status)
        status = read_next(r, &no_item, &item);
    if (status)
        return status;
    ww_vec_push(keys, key);
    ww_vec_push(items, item);
    return WW_OK;
}

static int read_mapping(reader *r, const yaml_event_t *event, const ww_yaml **result)
{
    node_vec keys = {0}, items = {0};
    bool end = false;
    ww_map *seen = ww_map_create();
    ww_yaml *node = new_node(r, WW_YAML_MAPPING, event);
    int status = refuse_decoration(r, event, event->data.mapping_start.anchor,
                                   event->data.mapping_start.tag);
    while (!status && !end)
        status = read_pair(r, seen, &keys, &items, &end);
    node->count = keys.count;
    node->keys = keep_nodes(r, &keys);
    node->items = keep_nodes(r, &items);
    ww_vec_free(&keys);
    ww_vec_free(&items);
    ww_map_destroy(seen);
    *result = node;
    return status;
}

static int read_node(reader *r, const yaml_event_t *event, const ww_yaml **result)
{
    int status;
    if (event->type == YAML_ALIAS_EVENT)
        return ww_fail(r->errors, WW_BAD_INPUT, where_of(r, event->start_mark),
                       "aliases are not supported (write the value where it is used)");
    if (event->type == YAML_SCALAR_EVENT)
        return read_scalar(r, event, result);
    if (r->depth == WW_YAML_MOST_DEPTH)
        return ww_fail(r->errors, WW_BAD_INPUT, where_of(r, event->start_mark),
                       "nested too deeply (at most %d levels)", WW_YAML_MOST_DEPTH);
    r->depth++;
    if (event->type == YAML_SEQUENCE_START_EVENT)
        status = read_sequence(r, event, result);
    else
        status = read_mapping(r, event, result);
    r->depth--;
    return status;
}

/* Takes the stream's and the document's start; *empty when there is no document. */
static int read_start(reader *r, bool *empty)
{
    yaml_event_t event;
    int status = next_event(r, &event);
    if (status)
        return status;
    yaml_event_delete(&event);
    status = next_event(r, &event);
    if (status)
        return status;
    *empty = event.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
    return WW_OK;
}

/* Takes the document's end, and the stream's: anything else is a second document. */
static int read_end(reader *r)
{
    yaml_event_t event;
    int status = next_event(r, &event);
    if (status)
        return status;
    yaml_event_delete(&event);
    status = next_event(r, &event);
    if (status)
        return status;
    if (event.type != YAML_STREAM_END_EVENT)
        status = ww_fail(r->errors, WW_BAD_INPUT, where_of(r, event.start_mark),
                         "a second document starts here (one document a file is needed)");
    yaml_event_delete(&event);
    return status;
}

static int read_document(reader *r)
{
    bool empty = false, end = false;
    int status = read_start(r, &empty);
    if (!status && empty)
        status = ww_fail(r->errors, WW_BAD_INPUT, (ww_where){r->document->name, 1, 1},
                         "nothing here (a YAML mapping is needed)");
    if (!status)
        status = read_next(r, &end, &r->document->root);
    if (!status)
        status = read_end(r);
    return status;
}

ww_yaml_document *ww_yaml_parse(const char *name, const char *bytes, size_t count,
                                ww_errors *errors)
{
    ww_yaml_document *document = ww_calloc(1, sizeof(*document));
    size_t mark =
        count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* of the byte order */
    bytes += mark;
    count -= mark;
    reader r = {.document = document, .bytes = bytes, .count = count, .errors = errors};
    document->arena = ww_arena_create();
    document->name = ww_arena_strdup(document->arena, name);
    int status = WW_OK;
    if (count > WW_YAML_MOST_BYTES) {
        status = ww_fail(errors, WW_BAD_INPUT, (ww_where){name, 0, 0},
                         "%zu bytes is too long (at most %zu)", count, WW_YAML_MOST_BYTES);
    } else {
        if (!yaml_parser_initialize(&r.parser))
            ww_out_of_memory(sizeof(r.parser));
        yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&r.parser, (const unsigned char *)bytes, count);
        status = read_document(&r);
        yaml_parser_delete(&r.parser);
    }
    if (!status && !r.duplicates)
        return document;
    ww_yaml_destroy(document);
    return NULL;
}

ww_yaml_document *ww_yaml_read(const char *path, ww_where at, ww_errors *errors)
{
    char *bytes;
    size_t count;
    if (ww_read_file_up_to(path, WW_YAML_MOST_BYTES, at, &bytes, &count, errors))
        return NULL;
    ww_yaml_document *document = ww_yaml_parse(path, bytes, count, errors);
    free(bytes);
    return document;
}

void ww_yaml_destroy(ww_yaml_document *document)
{
    if (!document)
        return;
    ww_arena_destroy(document->arena);
    free(document);
}

const ww_yaml *ww_yaml_root(const ww_yaml_document *document)
{
    return document->root;
}
