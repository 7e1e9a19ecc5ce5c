#include "run/tensor_list.h"

#include "base/units.h"
#include "probe/source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST (UINT64_C(16) << 20) /* what is read of a file */

static int refuse(struct error *e, const char *name, uint64_t line, const char *why)
{
    return error_set(e, STATUS_USAGE, "usage", "--tensor-list: %s, line %" PRIu64 ": %s", name,
                     line, why);
}

/* The last word of a line; false: there is none. */
static bool last_word(const char *line, size_t length, char *word, size_t bytes)
{
    const char *comment = memchr(line, '#', length);
    length = comment ? (size_t)(comment - line) : length;
    while (length > 0 && strchr(" \t\r", line[length - 1]))
        length--;
    size_t begin = length;
    while (begin > 0 && !strchr(" \t", line[begin - 1]))
        begin--;
    if (begin == length || length - begin >= bytes)
        return false;
    memcpy(word, line + begin, length - begin);
    word[length - begin] = '\0';
    return true;
}

static int add(struct tensor_list *list, uint64_t bytes, struct error *e)
{
    uint64_t before = list->count ? list->ends[list->count - 1] : 0;
    if ((list->count & (list->count + 1)) == 0) { /* 1, 3, 7, ...: full */
        size_t room = (size_t)(2 * list->count + 1) * sizeof *list->ends;
        uint64_t *more = realloc(list->ends, room);
        if (!more)
            return error_errno(e, ENOMEM, "memory for a list of tensors");
        list->ends = more;
    }
    if (list->count == TENSOR_LIST_MOST || bytes > INT64_MAX - before)
        return error_set(e, STATUS_USAGE, "usage",
                         "--tensor-list: more than %d tensors, or than 8 EiB", TENSOR_LIST_MOST);
    list->ends[list->count++] = before + bytes;
    return 0;
}

int tensor_list_parse(struct tensor_list *list, const struct checkpoint_layout *layout,
                      const char *text, const char *name, struct error *e)
{
    char word[64];
    *list = (struct tensor_list){0};
    for (uint64_t line = 1; *text; line++) {
        size_t length = strcspn(text, "\n");
        uint64_t bytes;
        struct error why = error_none();
        if (last_word(text, length, word, sizeof word)) {
            if (units_parse_size(word, &bytes, NULL, &why))
                return refuse(e, name, line, why.text);
            if (bytes == 0)
                return refuse(e, name, line, "a tensor of no bytes");
            if (add(list, layout_scaled(layout, bytes), e))
                return -1;
        } else if (strspn(text, " \t\r") < length && text[strspn(text, " \t\r")] != '#') {
            return refuse(e, name, line, "its last word is no size");
        }
        text += length + (text[length] == '\n');
    }
    if (list->count == 0)
        return error_set(e, STATUS_USAGE, "usage", "--tensor-list: %s lists no tensors", name);
    return 0;
}

static int read_list(struct tensor_list *list, const struct checkpoint_plan *p, struct error *e)
{
    struct text text = {0};
    int failed = source_read(NULL, p->tensor_list, &text, e);
    if (failed)
        error_wrap(e, "--tensor-list");
    else if (text.used >= TEXT_MOST)
        failed = error_set(e, STATUS_USAGE, "usage", "--tensor-list: %s has more than 16 MiB",
                           p->tensor_list);
    else
        failed = tensor_list_parse(list, &p->layout, text.used ? text.data : "", p->tensor_list, e);
    text_free(&text);
    return failed;
}

int tensor_list_read(struct tensor_list *list, struct checkpoint_plan *p, struct comm *comm,
                     struct error *e)
{
    uint64_t head[2] = {0, 0};
    if (comm->rank == 0)
        head[0] = read_list(list, p, e) != 0;
    head[1] = list->count;
    comm->ops->broadcast(comm, 0, head, sizeof head);
    if (head[0])
        return -1;
    if (comm->rank != 0)
        list->ends = malloc(head[1] * sizeof *list->ends);
    uint64_t lacking = list->ends ? 0 : 1;
    comm_reduce_all(comm, REDUCE_MAX, &lacking, 1);
    if (lacking)
        return error_errno(e, ENOMEM, "memory for a list of %" PRIu64 " tensors", head[1]);
    comm->ops->broadcast(comm, 0, list->ends, head[1] * sizeof *list->ends);
    list->count = head[1];
    checkpoint_plan_tensors(p, list->ends, list->count);
    return 0;
}

int tensor_list_load(struct tensor_list *list, struct checkpoint_plan *p, struct error *e)
{
    if (read_list(list, p, e))
        return -1;
    checkpoint_plan_tensors(p, list->ends, list->count);
    return 0;
}

void tensor_list_free(struct tensor_list *list)
{
    free(list->ends);
    *list = (struct tensor_list){0};
}
