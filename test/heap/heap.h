// A malloc for programs of the tests, which are linked to heap.c: see there.
#pragma once

// blocks that are allocated now, those of the dynamic loader apart; always 0 where malloc is the system's
long heap_blocks(void);
