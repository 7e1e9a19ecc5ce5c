#include "probe/file.h"

#include "tree.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cmocka.h>

static struct file_facts look(const struct tree *t, const char *path)
{
    struct file_facts f;
    struct error e = error_none();
    char full[1024];
    if (file_look(tree_path(t, path, full, sizeof full), &f, &e) != 0)
        fail_msg("%s", e.text);
    return f;
}

/* A socket's address is short: made from inside the folder. */
static void make_socket(const struct tree *t)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(chdir(t->root), 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(chdir("/"), 0);
    close(fd);
}

static void every_kind_is_told(void **state)
{
    struct tree t;
    char path[512];
    (void)state;
    tree_make(&t);
    tree_file(&t, "/file", "12345");
    tree_link(&t, "/link", "file");
    tree_link(&t, "/dangling", "nowhere");
    assert_int_equal(mkfifo(tree_path(&t, "/fifo", path, sizeof path), 0600), 0);
    make_socket(&t);
    struct file_facts f = look(&t, "/file");
    struct stat s;
    assert_int_equal(stat(tree_path(&t, "/file", path, sizeof path), &s), 0);
    assert_int_equal(f.kind, FILE_REGULAR);
    assert_int_equal(f.size_bytes, 5);
    assert_int_equal(f.inode, s.st_ino);
    assert_int_equal(f.allocated_bytes, (uint64_t)s.st_blocks * 512);
    assert_int_equal(f.modified_ns, s.st_mtim.tv_sec * INT64_C(1000000000) + s.st_mtim.tv_nsec);
    assert_int_equal(f.mode, s.st_mode & 07777);
    assert_int_equal(look(&t, "/link").kind, FILE_SYMLINK);
    assert_int_equal(look(&t, "/dangling").kind, FILE_SYMLINK);
    assert_int_equal(look(&t, "/fifo").kind, FILE_FIFO);
    assert_int_equal(look(&t, "/socket").kind, FILE_SOCKET);
    assert_int_equal(look(&t, "").kind, FILE_DIRECTORY);
    assert_int_equal(look(&t, "/none").kind, FILE_MISSING);
    assert_int_equal(look(&t, "/none/deeper").kind, FILE_MISSING);
    assert_int_equal(file_look("/dev/null", &f, NULL), 0);
    assert_int_equal(f.kind, FILE_CHARACTER);
    struct error e = error_none();
    assert_int_equal(file_look(tree_path(&t, "/file/x", path, sizeof path), &f, &e), -1);
    assert_string_equal(e.kind, "ENOTDIR");
    tree_free(&t);
}

/* A040: a file of a gigabyte that holds nothing. */
static void holes_are_found(void **state)
{
    struct tree t;
    char path[512];
    (void)state;
    tree_make(&t);
    tree_file(&t, "/hole", "%s", "");
    assert_int_equal(truncate(tree_path(&t, "/hole", path, sizeof path), 1 << 30), 0);
    struct file_facts f = look(&t, "/hole");
    assert_int_equal(f.size_bytes, 1 << 30);
    assert_true(f.allocated_bytes < 1 << 20);
    assert_true(file_is_hollow(&f));
    f.allocated_bytes = f.size_bytes;
    assert_false(file_is_hollow(&f));
    f = (struct file_facts){.kind = FILE_REGULAR, .size_bytes = 4096};
    assert_false(file_is_hollow(&f));
    f = (struct file_facts){.kind = FILE_BLOCK, .size_bytes = 1 << 30};
    assert_false(file_is_hollow(&f));
    tree_free(&t);
}

static void refused(int status, struct error *e, const char *part)
{
    assert_int_equal(status, -1);
    assert_int_equal(e->status, STATUS_USAGE);
    assert_true(strlen(e->text) < 600);
    if (strstr(e->text, part) == NULL)
        fail_msg("\"%s\" is not in: %s", part, e->text);
    for (const char *p = e->text; *p != '\0'; p++)
        assert_true((unsigned char)*p >= ' ');
    *e = error_none();
}

static void bad_names_are_refused(void **state)
{
    struct error e = error_none();
    char path[5001];
    (void)state;
    refused(file_check_name("", &e), &e, "the path is empty");
    refused(file_check_name("a\nb", &e), &e,
            "a?b: the path has a control character (0x0a) in place 2");
    refused(file_check_name("\033[2J", &e), &e, "0x1b");
    refused(file_check_name("x\x7f", &e), &e, "0x7f");
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    refused(file_check_name(path, &e), &e, "the path is 5000 bytes long; at most 4095");
    path[300] = '\0';
    refused(file_check_name(path, &e), &e, "a name between slashes is 300 bytes long; at most 255");
    path[255] = '\0';
    assert_int_equal(file_check_name(path, &e), 0);
    assert_int_equal(file_check_name("/d\303\244ta/with blank", &e), 0);
}

static void wrong_targets_are_refused(void **state)
{
    struct error e = error_none();
    struct file_facts f = {.kind = FILE_DIRECTORY};
    (void)state;
    refused(file_check_target("d", &f, true, &e), &e, "d is a directory; give a file name");
    f.kind = FILE_SYMLINK;
    refused(file_check_target("l", &f, true, &e), &e, "l is a symbolic link");
    f.kind = FILE_FIFO;
    refused(file_check_target("p", &f, true, &e), &e, "p is a FIFO");
    f.kind = FILE_SOCKET;
    refused(file_check_target("s", &f, true, &e), &e, "s is a socket");
    f.kind = FILE_CHARACTER;
    refused(file_check_target("c", &f, true, &e), &e, "c is a character device");
    f.kind = FILE_BLOCK;
    refused(file_check_target("b", &f, false, &e), &e, "--allow-device");
    assert_int_equal(file_check_target("b", &f, true, &e), 0);
    f.kind = FILE_REGULAR;
    assert_int_equal(file_check_target("f", &f, false, &e), 0);
    f.kind = FILE_MISSING;
    assert_int_equal(file_check_target("f", &f, false, &e), 0);
}

static void the_whole_check(void **state)
{
    struct tree t;
    struct error e = error_none();
    struct file_facts f;
    char path[512];
    (void)state;
    tree_make(&t);
    tree_file(&t, "/file", "12345");
    assert_int_equal(file_check(tree_path(&t, "/new", path, sizeof path), false, &f, &e), 0);
    assert_int_equal(f.kind, FILE_MISSING);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(file_check(tree_path(&t, "/file", path, sizeof path), false, &f, &e), 0);
    assert_int_equal(f.size_bytes, 5);
    refused(file_check(tree_path(&t, "/none/new", path, sizeof path), false, NULL, &e), &e,
            "/none: No such file or directory");
    refused(file_check(tree_path(&t, "/file/new", path, sizeof path), false, NULL, &e), &e,
            "/file is not a directory");
    refused(file_check(tree_path(&t, "/new/", path, sizeof path), false, NULL, &e), &e,
            "names a directory");
    refused(file_check(t.root, false, NULL, &e), &e, "is a directory");
    refused(file_check("/dev/null", false, NULL, &e), &e, "is a character device");
    tree_free(&t);
}

/* As somebody who may not write there, in a child: root may write anywhere. */
static void an_unwritable_directory_is_refused(void **state)
{
    struct tree t;
    char path[512];
    (void)state;
    tree_make(&t);
    assert_int_equal(chmod(t.root, 0555), 0);
    pid_t child = fork();
    if (child == 0) {
        struct error e = error_none();
        if (geteuid() == 0 && seteuid(65534) != 0)
            _exit(2);
        int status = file_check(tree_path(&t, "/new", path, sizeof path), false, NULL, &e);
        _exit(status == -1 && e.status == STATUS_USAGE && strstr(e.text, "Permission denied") ? 0
                                                                                              : 1);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(chmod(t.root, 0755), 0);
    tree_free(&t);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

static void directories_are_cut_off(void **state)
{
    static const char *const rows[][2] = {
        {"a", "."}, {"/a", "/"}, {"d/a", "d"}, {"/d/e/a", "/d/e"}, {"./a", "."}};
    char buf[64];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        file_directory(rows[i][0], buf, sizeof buf);
        assert_string_equal(buf, rows[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_told),
        cmocka_unit_test(holes_are_found),
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(wrong_targets_are_refused),
        cmocka_unit_test(the_whole_check),
        cmocka_unit_test(an_unwritable_directory_is_refused),
        cmocka_unit_test(directories_are_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
