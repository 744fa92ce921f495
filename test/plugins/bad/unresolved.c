// A library that cannot be loaded: it needs a function that nobody has.
int sinewTestFunctionThatNobodyHas(void);

int sinewTestUnresolved(void);
int sinewTestUnresolved(void) {
  return sinewTestFunctionThatNobodyHas();
}
