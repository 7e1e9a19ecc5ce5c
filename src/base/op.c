#include "base/op.h"

const char *op_name(enum op_kind kind)
{
    static const char *const names[OP_KINDS] = {
#define OP(KIND, name, STAGE, performer) [OP_##KIND] = name,
#include "base/op.def"
    };
    return names[kind];
}

enum stage op_stage(enum op_kind kind)
{
    static const enum stage stages[OP_KINDS] = {
#define OP(KIND, name, STAGE, performer) [OP_##KIND] = STAGE_##STAGE,
#include "base/op.def"
    };
    return stages[kind];
}

enum performer op_performer(enum op_kind kind)
{
    static const enum performer performers[OP_KINDS] = {
#define OP(KIND, name, STAGE, performer) [OP_##KIND] = PERFORMER_##performer,
#include "base/op.def"
    };
    return performers[kind];
}

const char *stage_name(enum stage stage)
{
    static const char *const names[STAGES] = {
#define STAGE_ROW(STAGE, name) [STAGE_##STAGE] = name,
#include "base/op.def"
    };
    return names[stage];
}
