# PARIO_C17: -std=gnu17 into PARIO_STD, or an error; warning options that this compiler knows into
# PARIO_WARNINGS; -Wl,--as-needed into PARIO_LDFLAGS where the linker has it.
AC_DEFUN([PARIO_C17],[
AC_MSG_CHECKING([whether $CC speaks C17])
pario_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -std=gnu17"
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[_Static_assert(__STDC_VERSION__ >= 201710L, "C17");]],[])],
  [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([a C17 compiler is needed: gcc 8 or clang 7 and newer])])
CFLAGS=$pario_save_CFLAGS
AC_SUBST([PARIO_STD],[-std=gnu17])
AC_SUBST([PARIO_WARNINGS],["-Wall -Wextra -Wshadow -Wconversion"])
AC_MSG_CHECKING([whether the linker knows --as-needed])
pario_save_LDFLAGS=$LDFLAGS
LDFLAGS="$LDFLAGS -Wl,--as-needed"
AC_LINK_IFELSE([AC_LANG_PROGRAM([],[])],
  [AC_MSG_RESULT([yes]); PARIO_LDFLAGS=-Wl,--as-needed],
  [AC_MSG_RESULT([no]); PARIO_LDFLAGS=])
LDFLAGS=$pario_save_LDFLAGS
AC_SUBST([PARIO_LDFLAGS])
])
