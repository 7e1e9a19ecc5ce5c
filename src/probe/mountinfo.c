#include "probe/mountinfo.h"

#include <string.h>

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

/* The character at *i, which moves behind it. */
static char decoded(struct slice s, size_t *i)
{
    const char *p = s.start + *i;
    if (*p == '\\' && s.length - *i >= 4 && is_octal(p[1]) && is_octal(p[2]) && is_octal(p[3])) {
        *i += 4;
        return (char)(unsigned char)(((p[1] - '0') << 6) | ((p[2] - '0') << 3) | (p[3] - '0'));
    }
    *i += 1;
    return *p;
}

char *mountinfo_decode(struct slice raw, char *buf, size_t bytes)
{
    size_t used = 0;
    for (size_t i = 0; i < raw.length && used + 1 < bytes;)
        buf[used++] = decoded(raw, &i);
    buf[used] = '\0';
    return buf;
}

bool mountinfo_is(struct slice raw, const char *word)
{
    size_t i = 0;
    while (i < raw.length && *word != '\0')
        if (decoded(raw, &i) != *word++)
            return false;
    return i == raw.length && *word == '\0';
}

/* End of the option that starts at i: the comma, or the end. */
static size_t option_end(struct slice options, size_t i)
{
    while (i < options.length && options.start[i] != ',')
        i += options.start[i] == '\\' && i + 1 < options.length ? 2 : 1;
    return i;
}

bool mountinfo_option(struct slice options, const char *name, char *buf, size_t bytes)
{
    size_t wanted = strlen(name);
    for (size_t i = 0; i < options.length;) {
        size_t end = option_end(options, i);
        const char *at = options.start + i;
        size_t length = end - i;
        i = end + 1;
        if (length < wanted || memcmp(at, name, wanted) != 0)
            continue;
        if (length > wanted && at[wanted] != '=')
            continue;
        size_t skip = length > wanted ? wanted + 1 : wanted;
        if (buf != NULL)
            mountinfo_decode((struct slice){at + skip, length - skip}, buf, bytes);
        return true;
    }
    return false;
}

static bool take_field(struct slice *rest, struct slice *field)
{
    size_t n = 0;
    while (n < rest->length && rest->start[n] != ' ')
        n++;
    if (n == 0)
        return false;
    *field = (struct slice){rest->start, n};
    size_t skip = n < rest->length ? n + 1 : n;
    rest->start += skip;
    rest->length -= skip;
    return true;
}

static bool take_number(struct slice *s, char end, uint32_t *value)
{
    uint64_t n = 0;
    size_t i = 0;
    for (; i < s->length && s->start[i] >= '0' && s->start[i] <= '9'; i++) {
        n = n * 10 + (uint64_t)(s->start[i] - '0');
        if (n > UINT32_MAX)
            return false;
    }
    if (i == 0 || (end != '\0' && (i == s->length || s->start[i] != end)) ||
        (end == '\0' && i != s->length))
        return false;
    size_t skip = end != '\0' ? i + 1 : i;
    s->start += skip;
    s->length -= skip;
    *value = (uint32_t)n;
    return true;
}

static bool parse_line(struct slice rest, struct mount_line *line)
{
    struct slice skipped, device;
    if (!take_field(&rest, &skipped) || !take_field(&rest, &skipped) || !take_field(&rest, &device))
        return false;
    if (!take_number(&device, ':', &line->major) || !take_number(&device, '\0', &line->minor))
        return false;
    if (!take_field(&rest, &line->root) || !take_field(&rest, &line->point) ||
        !take_field(&rest, &line->options))
        return false;
    do {
        if (!take_field(&rest, &skipped))
            return false;
    } while (!mountinfo_is(skipped, "-"));
    if (!take_field(&rest, &line->type))
        return false;
    /* A source may be empty: then two blanks follow the type. */
    line->source = (struct slice){rest.start, 0};
    if (rest.length > 0 && rest.start[0] == ' ') {
        rest.start++;
        rest.length--;
    } else if (!take_field(&rest, &line->source)) {
        return false;
    }
    line->super = rest;
    return line->point.start[0] == '/';
}

bool mountinfo_next(const char **cursor, struct mount_line *line)
{
    while (**cursor != '\0') {
        size_t n = strcspn(*cursor, "\n");
        struct slice whole = {*cursor, n};
        *cursor += (*cursor)[n] == '\n' ? n + 1 : n;
        if (parse_line(whole, line))
            return true;
    }
    return false;
}

/* Length of the mount point if path is it or lies below it, else 0. */
static size_t covers(struct slice point, const char *path)
{
    size_t length = 0;
    for (size_t i = 0; i < point.length; length++) {
        if (path[length] == '\0' || decoded(point, &i) != path[length])
            return 0;
    }
    if (length == 1) /* "/" */
        return 1;
    return path[length] == '\0' || path[length] == '/' ? length : 0;
}

bool mountinfo_find(const char *text, const char *path, uint32_t major, uint32_t minor,
                    struct mount_line *found)
{
    struct mount_line line;
    size_t best_length = 0;
    bool best_device = false;
    while (mountinfo_next(&text, &line)) {
        size_t length = covers(line.point, path);
        bool device = line.major == major && line.minor == minor;
        if (length == 0 || (best_device && !device))
            continue;
        if ((device && !best_device) || length >= best_length) {
            *found = line;
            best_length = length;
            best_device = device;
        }
    }
    return best_length > 0;
}
