#define TST_SEARCH tst_searchForward
#include "support/search_impl.h"
