# PARIO_HDF5: finds an HDF5 that was built with the MPI in use (after PARIO_MPI).
#
# Asked, in this order: the h5pcc that --with-hdf5 names; pkg-config, for the package of this MPI
# first; the h5pcc wrappers. Each answer has to compile and link with this MPI. A serial HDF5 cannot
# share a file among ranks: it is named, and not used. Sets have_hdf5 (yes, serial or no) and
# hdf5_version; substitutes HDF5_CPPFLAGS and HDF5_LIBS; defines HAVE_HDF5 or HDF5_SERIAL.

# PARIO_HDF5_TRY(FOUND-BY, WORDS): sorts the words into options and tries them. Words that name
# another MPI are not tried: they would link, and fail when they run.
AC_DEFUN([PARIO_HDF5_TRY],[
AS_CASE(["$MPI_FLAVOUR $2"],
  [openmpi*mpich*|mpich*openmpi*],[pario_other=yes],
  [pario_other=no])
AS_IF([test $have_hdf5 != yes && test $pario_other = no && test -n "$2"],[
  HDF5_CPPFLAGS=; HDF5_LIBS=
  for pario_word in $2
  do
    AS_CASE([$pario_word],
      [-I/usr/include],[],
      [-I*],[HDF5_CPPFLAGS="$HDF5_CPPFLAGS -isystem `echo "$pario_word" | sed 's/^-I//'`"],
      [-D*],[HDF5_CPPFLAGS="$HDF5_CPPFLAGS $pario_word"],
      [-L*|-l*|-Wl,*|*.a|*.so],[HDF5_LIBS="$HDF5_LIBS $pario_word"])
  done
  CPPFLAGS="$pario_save_CPPFLAGS $HDF5_CPPFLAGS $MPI_CPPFLAGS"
  LIBS="$HDF5_LIBS $MPI_LIBS $pario_save_LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <hdf5.h>
#ifndef H5_HAVE_PARALLEL
#error serial
#endif]],[[return H5Pset_fapl_mpio(0, MPI_COMM_WORLD, MPI_INFO_NULL) < 0;]])],
    [have_hdf5=yes],
    [AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <hdf5.h>
#ifdef H5_HAVE_PARALLEL
#error of another MPI
#endif]],[[return H5open() < 0;]])],
      [have_hdf5=serial])])
  AS_IF([test $have_hdf5 = yes || { test $have_hdf5 = serial && test "x$hdf5_version" = x; }],[
    PARIO_MPI_MACRO([H5_VERS_INFO],[hdf5_version],[hdf5.h])
    hdf5_version=`echo "$hdf5_version" | sed 's/^HDF5libraryversion:*//'`
    hdf5_found_by="$1"])
  CPPFLAGS=$pario_save_CPPFLAGS; LIBS=$pario_save_LIBS])
])

AC_DEFUN([PARIO_HDF5],[
AC_ARG_WITH([hdf5],[AS_HELP_STRING([--with-hdf5=yes|no|check|H5PCC],
  [the hdf5 backend, with the HDF5 that this h5pcc wraps; check (default): where found])],
  [],[with_hdf5=check])
have_hdf5=no; hdf5_version=; hdf5_found_by=
AS_IF([test "x$with_hdf5" != xno && test $have_mpi = yes],[
  AC_MSG_CHECKING([for HDF5 built with this MPI])
  pario_save_CPPFLAGS=$CPPFLAGS; pario_save_LIBS=$LIBS
  AS_CASE([$with_hdf5],[yes|check],[
      for pario_package in hdf5-$MPI_FLAVOUR hdf5-mpi hdf5 hdf5-serial
      do
        pario_answer=`$PKG_CONFIG --cflags --libs $pario_package 2>/dev/null`
        PARIO_HDF5_TRY([pkg-config $pario_package],[$pario_answer])
      done
      pario_wrappers="h5pcc.$MPI_FLAVOUR h5pcc h5cc"],
    [pario_wrappers=$with_hdf5])
  for pario_wrapper in $pario_wrappers
  do
    pario_answer=`$pario_wrapper -shlib -show 2>/dev/null`
    PARIO_HDF5_TRY([$pario_wrapper],[$pario_answer])
  done
  AC_MSG_RESULT([$have_hdf5${hdf5_found_by:+ ($hdf5_version, by $hdf5_found_by)}])
  AS_CASE([$with_hdf5.$have_hdf5],[check.*|*.yes],[],
    [AC_MSG_ERROR([--with-hdf5=$with_hdf5 was given, but no parallel HDF5 for $mpi_summary was found (found: $have_hdf5 $hdf5_version)])])
])
AS_CASE([$have_hdf5],
  [yes],[AC_DEFINE([HAVE_HDF5],[1],[a parallel HDF5 of this MPI was found])
    hdf5_summary="$hdf5_version, parallel"],
  [serial],[AC_DEFINE_UNQUOTED([HDF5_SERIAL],["$hdf5_version"],[version of the HDF5 found, which is serial])
    hdf5_summary="$hdf5_version, serial"],
  [hdf5_summary="not found"
   AS_IF([test "x$with_hdf5" = xno],[hdf5_summary="switched off"])])
AS_IF([test $have_hdf5 != yes],[HDF5_CPPFLAGS=; HDF5_LIBS=])
AC_SUBST([HDF5_CPPFLAGS])
AC_SUBST([HDF5_LIBS])
])
