// A locale whose decimal point is a comma, on machines that have none installed.
#pragma once

// Makes the locale and sets it as the process's for numbers. 0: this machine cannot; why goes to stderr.
int sup_commaLocale(void);

// back to the C locale
void sup_plainLocale(void);
