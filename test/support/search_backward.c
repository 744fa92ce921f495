#define TST_SEARCH tst_searchBackward
#define CU_BACKWARDS
#include "support/search_impl.h"
