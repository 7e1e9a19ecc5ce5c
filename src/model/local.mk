# Files of src/model, a line each, headers too.
libpario_a_SOURCES += src/model/histogram.h
libpario_a_SOURCES += src/model/metrics.h
libpario_a_SOURCES += src/model/option.h
libpario_a_SOURCES += src/model/plan.c
libpario_a_SOURCES += src/model/plan.h
libpario_a_SOURCES += src/model/result.h
libpario_a_SOURCES += src/model/sample.def
libpario_a_SOURCES += src/model/sample.h
libpario_a_SOURCES += src/model/settings.def
libpario_a_SOURCES += src/model/settings.h
libpario_a_SOURCES += src/model/stats.h
libpario_a_SOURCES += src/model/timeline.h
libpario_a_SOURCES += src/model/topology.h
libpario_a_SOURCES += src/model/result.c
