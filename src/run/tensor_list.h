/* Sizes of a file's tensors, one for one, as the user lists them: --tensor-list. */
#ifndef PARIO_RUN_TENSOR_LIST_H
#define PARIO_RUN_TENSOR_LIST_H

#include "comm/comm.h"
#include "model/checkpoint.h"

#define TENSOR_LIST_MOST 10000000

struct tensor_list { /* ends[i]: bytes of the tensors 0 to i together; owned */
    uint64_t *ends;
    uint64_t count;
};

/* The text of such a file: a line for each tensor, its size or its name and its size; # begins a
 * comment. Pure. name: of the file, for messages. Each size is made larger or smaller as the layout
 * says. 0; -1 with STATUS_USAGE and the line. */
int tensor_list_parse(struct tensor_list *list, const struct checkpoint_layout *layout,
                      const char *text, const char *name, struct error *e);

/* Collective: rank 0 reads the file, all get the list, and the plan has files of these tensors. 0,
 * or -1 on every rank, with an error on rank 0 at least. */
int tensor_list_read(struct tensor_list *list, struct checkpoint_plan *plan, struct comm *comm,
                     struct error *e);
/* The same for one that stands alone. */
int tensor_list_load(struct tensor_list *list, struct checkpoint_plan *plan, struct error *e);
void tensor_list_free(struct tensor_list *list);

#endif
