#include "model/checkpoint.h"

#include <math.h>

static bool make_sense(double cost_s, double mtbf_s)
{
    return cost_s > 0 && mtbf_s > 0;
}

double checkpoint_young_s(double cost_s, double mtbf_s)
{
    return make_sense(cost_s, mtbf_s) ? sqrt(2 * cost_s * mtbf_s) : NAN;
}

double checkpoint_daly_s(double cost_s, double mtbf_s)
{
    if (!make_sense(cost_s, mtbf_s))
        return NAN;
    double ratio = cost_s / (2 * mtbf_s);
    if (ratio >= 1)
        return mtbf_s;
    return sqrt(2 * cost_s * mtbf_s) * (1 + sqrt(ratio) / 3 + ratio / 9) - cost_s;
}

double checkpoint_waste(double cost_s, double interval_s, double mtbf_s)
{
    if (!make_sense(cost_s, mtbf_s) || !(interval_s > 0))
        return NAN;
    return cost_s / interval_s + interval_s / (2 * mtbf_s);
}
