# PARIO_MPI: finds an MPI library without compiling everything with its wrapper.
#
# The wrapper (MPICC) is only asked for its options; just the files that speak MPI are compiled with
# them, so the rest of the program cannot come to depend on MPI unnoticed. Sets have_mpi, mpi_feature,
# mpi_summary; substitutes MPI_CPPFLAGS, MPI_LIBS, MPIRUN, MPI_FLAVOUR; defines HAVE_MPI.

# PARIO_MPI_SORT: sorts the words of pario_words into MPI_CPPFLAGS and MPI_LIBS; drops the rest (the
# compiler's name, optimisation options of whoever built the library).
AC_DEFUN([PARIO_MPI_SORT],[
pario_next=
eval "set x $pario_words"; shift
for pario_word
do
  AS_IF([test -n "$pario_next"],
    [AS_CASE([$pario_next],
       [-I|-isystem],[MPI_CPPFLAGS="$MPI_CPPFLAGS -isystem $pario_word"],
       [MPI_LIBS="$MPI_LIBS $pario_next $pario_word"])
     pario_next=],
    [AS_CASE([$pario_word],
       [-I|-isystem|-L|-Xlinker|-framework],[pario_next=$pario_word],
       [-I/usr/include],[],
       [-I*],[MPI_CPPFLAGS="$MPI_CPPFLAGS -isystem `echo "$pario_word" | sed 's/^-I//'`"],
       [-D*|-pthread],[MPI_CPPFLAGS="$MPI_CPPFLAGS $pario_word"],
       [-L*|-l*|-Wl,*|*.a|*.so],[MPI_LIBS="$MPI_LIBS $pario_word"])])
done
])

# PARIO_MPI_MACRO(NAME, VARIABLE, [HEADER = mpi.h]): what the header defines NAME as, without quotes
# and blanks; empty if it does not.
AC_DEFUN([PARIO_MPI_MACRO],[
AC_LANG_CONFTEST([AC_LANG_SOURCE([[#include <]m4_default([$3],[mpi.h])[>
pario_value: $1]])])
$2=`$CC -E -P $CPPFLAGS conftest.c 2>/dev/null |
  sed -n 's/.*pario_value: *//p' | tr -d '" ' | grep -v '^$1\$'`
rm -f conftest.c
])

AC_DEFUN([PARIO_MPI_FLAVOUR],[
PARIO_MPI_MACRO([OMPI_MAJOR_VERSION],[pario_major])
PARIO_MPI_MACRO([OMPI_MINOR_VERSION],[pario_minor])
PARIO_MPI_MACRO([OMPI_RELEASE_VERSION],[pario_release])
PARIO_MPI_MACRO([MPICH_VERSION],[pario_mpich])
PARIO_MPI_MACRO([MPI_VERSION],[pario_standard])
PARIO_MPI_MACRO([MPI_SUBVERSION],[pario_substandard])
AS_IF([test -n "$pario_major"],
    [MPI_FLAVOUR=openmpi; mpi_summary="Open MPI $pario_major.$pario_minor.$pario_release"],
  [test -n "$pario_mpich"],
    [MPI_FLAVOUR=mpich; mpi_summary="MPICH $pario_mpich"],
  [MPI_FLAVOUR=other; mpi_summary="unknown library"])
mpi_summary="$mpi_summary (MPI $pario_standard.$pario_substandard, $MPICC)"
])

AC_DEFUN([PARIO_MPI],[
AC_ARG_WITH([mpi],[AS_HELP_STRING([--with-mpi=yes|no|check],
  [ranks as MPI processes, MPI-IO; check (default): where found])],[],[with_mpi=check])
AC_ARG_VAR([MPICC],[wrapper compiler of the MPI to use, e.g. mpicc.mpich])
AC_ARG_VAR([MPIRUN],[its launcher, for make check; guessed from MPICC])
have_mpi=no; mpi_feature=no-mpi; mpi_summary="switched off"
MPI_CPPFLAGS=; MPI_LIBS=; MPI_FLAVOUR=none
AS_IF([test "x$with_mpi" != xno],[
  mpi_summary="not found"
  AC_CHECK_PROGS([MPICC],[mpicc mpicc.openmpi mpicc.mpich mpiicx mpiicc cc])
  pario_words=
  for pario_ask in "--showme:compile --showme:link" "-show" "-compile_info -link_info"
  do
    AS_IF([test -n "$MPICC" && test -z "$pario_words"],[
      for pario_option in $pario_ask
      do
        pario_answer=`$MPICC $pario_option 2>/dev/null` && pario_words="$pario_words $pario_answer"
      done])
  done
  PARIO_MPI_SORT
  pario_save_CPPFLAGS=$CPPFLAGS; pario_save_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $MPI_CPPFLAGS"; LIBS="$MPI_LIBS $LIBS"
  AC_MSG_CHECKING([for MPI as $MPICC knows it])
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
      [[MPI_File f; return MPI_Init(0, 0) || MPI_File_open(MPI_COMM_WORLD, "", 0, MPI_INFO_NULL, &f);]])],
    [have_mpi=yes])
  AC_MSG_RESULT([$have_mpi])
  AS_IF([test $have_mpi = yes],[PARIO_MPI_FLAVOUR])
  CPPFLAGS=$pario_save_CPPFLAGS; LIBS=$pario_save_LIBS
  AS_IF([test $have_mpi = no],[
    AS_IF([test "$with_mpi" = yes || test -n "$ac_cv_env_MPICC_value"],
      [AC_MSG_ERROR([no working MPI: ${MPICC:-mpicc} cannot link a program (see config.log); --without-mpi builds without one])])
    MPI_CPPFLAGS=; MPI_LIBS=])
])
AS_IF([test $have_mpi = yes],[
  AC_DEFINE([HAVE_MPI],[1],[an MPI library was found])
  mpi_feature=$MPI_FLAVOUR
  AS_CASE([$MPICC],[*mpicc.*],[pario_suffix=`echo "$MPICC" | sed 's/.*mpicc//'`],[pario_suffix=])
  AC_CHECK_PROGS([MPIRUN],[mpirun$pario_suffix mpiexec$pario_suffix srun])])
AC_SUBST([MPI_CPPFLAGS])
AC_SUBST([MPI_LIBS])
AC_SUBST([MPI_FLAVOUR])
AM_CONDITIONAL([HAVE_MPI],[test $have_mpi = yes])
])
