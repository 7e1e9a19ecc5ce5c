# PARIO_PNETCDF: finds a PnetCDF that was built with the MPI in use (after PARIO_MPI).
#
# pkg-config is asked, and -lpnetcdf tried. One that was built with another MPI would link, too: so
# the libraries that the trial program loads are looked at. Sets have_pnetcdf and pnetcdf_version;
# substitutes PNETCDF_CPPFLAGS and PNETCDF_LIBS; defines HAVE_PNETCDF.
AC_DEFUN([PARIO_PNETCDF],[
AC_ARG_WITH([pnetcdf],[AS_HELP_STRING([--with-pnetcdf=yes|no|check],
  [the pnetcdf backend; check (default): where found])],[],[with_pnetcdf=check])
have_pnetcdf=no; pnetcdf_version="not found"; PNETCDF_CPPFLAGS=; PNETCDF_LIBS=
AS_IF([test "x$with_pnetcdf" = xno],[pnetcdf_version="switched off"],[test $have_mpi = yes],[
  AC_MSG_CHECKING([for PnetCDF built with this MPI])
  pario_save_CPPFLAGS=$CPPFLAGS; pario_save_LIBS=$LIBS
  PNETCDF_CPPFLAGS=`$PKG_CONFIG --cflags-only-I pnetcdf 2>/dev/null | sed 's/-I */-isystem /g'`
  PNETCDF_LIBS=`$PKG_CONFIG --libs pnetcdf 2>/dev/null || echo -lpnetcdf`
  CPPFLAGS="$pario_save_CPPFLAGS $PNETCDF_CPPFLAGS $MPI_CPPFLAGS"
  LIBS="$PNETCDF_LIBS $MPI_LIBS $pario_save_LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#include <pnetcdf.h>]],[[return ncmpi_inq_libvers()[0] == 0;]])],[
    have_pnetcdf=yes
    pario_loads=`ldd conftest$EXEEXT 2>/dev/null`
    AS_CASE(["$MPI_FLAVOUR $pario_loads"],
      [openmpi*libmpich*|mpich*libopen-rte*],[have_pnetcdf=no; pnetcdf_version="of another MPI"])
    AS_IF([test $have_pnetcdf = yes],
      [pnetcdf_version=`$PKG_CONFIG --modversion pnetcdf 2>/dev/null || echo found`])])
  CPPFLAGS=$pario_save_CPPFLAGS; LIBS=$pario_save_LIBS
  AC_MSG_RESULT([$have_pnetcdf ($pnetcdf_version)])])
AS_IF([test "$with_pnetcdf$have_pnetcdf" = yesno],
  [AC_MSG_ERROR([--with-pnetcdf was given, but there is no PnetCDF of this MPI: $pnetcdf_version])])
AS_IF([test $have_pnetcdf = yes],
  [AC_DEFINE([HAVE_PNETCDF],[1],[a PnetCDF of this MPI was found])],
  [PNETCDF_CPPFLAGS=; PNETCDF_LIBS=])
AC_SUBST([PNETCDF_CPPFLAGS])
AC_SUBST([PNETCDF_LIBS])
])
