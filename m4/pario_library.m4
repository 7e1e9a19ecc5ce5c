# PARIO_VERSION_OF(PACKAGE): sets PACKAGE_version to what pkg-config says, or to "not found".
AC_DEFUN([PARIO_VERSION_OF],[
$1_version=`$PKG_CONFIG --modversion $1 2>/dev/null || echo "not found"`
])

# PARIO_LIBRARY(NAME, PKG-CONFIG-SPEC, PREFIX, USED-FOR): an optional library found by pkg-config.
# Adds --with-NAME=yes|no|check (check), sets have_NAME to yes or no and NAME_version, substitutes
# PREFIX_CFLAGS and PREFIX_LIBS, defines HAVE_<NAME in capitals>. Asked for and missing is an error.
AC_DEFUN([PARIO_LIBRARY],[
AC_ARG_WITH([$1],[AS_HELP_STRING([--with-$1=yes|no|check],[$4; check (default): where found])],
  [],[with_$1=check])
have_$1=no
$1_version="switched off"
AS_IF([test "x$with_$1" != xno],[
  PARIO_VERSION_OF([$1])
  PKG_CHECK_MODULES([$3],[$2],[have_$1=yes],[have_$1=no])
  AS_IF([test "$with_$1$have_$1" = yesno],
    [AC_MSG_ERROR([--with-$1 was given, but pkg-config does not find $2])])])
AS_IF([test $have_$1 = yes],
  [AC_DEFINE([HAVE_]m4_toupper([$1]),[1],[$2 was found])])
])

# PARIO_LIBRARY_BY_LINK(NAME, HEADER, LIBRARY, FUNCTION, PREFIX, USED-FOR): the same for a library without
# pkg-config; NAME_version tells no more than that it was found.
AC_DEFUN([PARIO_LIBRARY_BY_LINK],[
AC_ARG_WITH([$1],[AS_HELP_STRING([--with-$1=yes|no|check],[$6; check (default): where found])],
  [],[with_$1=check])
have_$1=no
$1_version="switched off"
AS_IF([test "x$with_$1" != xno],[
  $1_version="not found"
  AC_CHECK_HEADER([$2],[AC_CHECK_LIB([$3],[$4],[have_$1=yes; $1_version=found],[])],[])
  AS_IF([test "$with_$1$have_$1" = yesno],
    [AC_MSG_ERROR([--with-$1 was given, but there is no $2 with $4 in -l$3])])])
AS_IF([test $have_$1 = yes],
  [AC_DEFINE([HAVE_]m4_toupper([$1]),[1],[$1 was found])
   AC_SUBST([$5_LIBS],[-l$3])])
])
