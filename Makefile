# The few commands people type. Each does its own set-up; see `make help`.
BUILD   := build
ORACLE  := $(BUILD)/oracle
PREFIX  ?= /usr/local

.DEFAULT_GOAL := help
.PHONY: help setup run build release-pgo cuda test mutate coverage sanitize builds determinism bench bench-parts bench-count bench-growth bench-batch bench-gym bench-gpu peers conform oracle golden docs web api-status format lint fuzz soak wheel install clean

help:            ## show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' Makefile

setup:
	@scripts/setup.sh

run: build       ## simulate a scene of our own: report, trajectory and charts in out/
	@$(BUILD)/release/cli/sinew run

build: setup     ## build libsinew.so, libsinew.a and the sinew program (release, without a profile: quick)
	@scripts/build.sh release

release-pgo: setup  ## build what is installed: release compiled with a profile of our scenes, same bits, faster small models (gcc)
	@scripts/release_pgo.sh

cuda:            ## build build/cuda/libsinew_cuda.so, batches on GPUs; needs nvcc (ARCH=90: for one GPU only)
	@scripts/cuda.sh $(BUILD)

test: setup      ## build with asserts and run all tests; says what was left out
	@scripts/test.sh $(BUILD)

sanitize: setup  ## run all tests under address+undefined, then thread sanitizers
	@scripts/build.sh asan
	@cd $(BUILD)/asan && ctest --output-on-failure -j2
	@scripts/build.sh tsan
	@cd $(BUILD)/tsan && ctest --output-on-failure -j2 -R 'thread|island|hooks|batch|parts'

mutate: setup    ## plant faults in a copy and list those that no test notices (SEED=1 COUNT=50 FOLDERS=src REFERENCE=1)
	@scripts/mutate.py --seed $(or $(SEED),1) --count $(or $(COUNT),50) --folders $(or $(FOLDERS),src) $(if $(REFERENCE),--reference)

coverage: setup  ## lines and branches that the tests reach: build/coverage/page/index.html
	@scripts/setup.sh gcovr
	@scripts/coverage.sh $(BUILD)

builds: setup    ## build and test for aarch64 (emulated), musl, clang, shared libraries (BUILDS="aarch64 musl" TESTS=expression)
	@TESTS=$(TESTS) scripts/builds.sh $(BUILDS)

determinism: setup    ## same bits from gcc and clang, -O1 and -O3 (BUILDS=clang-O3: only that)
	@scripts/determinism.sh $(BUILDS)

oracle: setup    ## install the reference library (MuJoCo 3.5.0) below build/ for comparisons
	@scripts/oracle.sh $(ORACLE)

bench: setup oracle  ## time what is installed over scenes/ and MODELS=list.txt against the reference, write docs/performance.md
	@scripts/release_pgo.sh bench_suite
	@scripts/bench.sh $(BUILD) suite $(MODELS)

bench-parts: build oracle  ## time kernels, stages, loading and data one by one (MODELS=folder)
	@scripts/bench.sh $(BUILD) parts $(MODELS)

bench-count: build    ## count instructions of short runs, compare with bench/counts.txt (UPDATE=1: write it)
	@scripts/setup.sh valgrind
	@scripts/bench_count.py $(BUILD) $(if $(UPDATE),--update)

bench-growth: build  ## time steps of 1000 to 60000 free bodies, write docs/growth.md
	@scripts/bench_growth.py $(BUILD)

bench-batch: build oracle  ## time batches against mujoco.rollout and mujoco.batch, write docs/batch-speed.md (MODELS=folder)
	@scripts/bench_batch.py $(BUILD) $(MODELS)

bench-gym: wheel  ## time sinew.gym against AsyncVectorEnv and EnvPool, write docs/gym-speed.md
	@scripts/bench_gym.py $(BUILD)

bench-gpu: build cuda  ## time batches on this GPU, beside MuJoCo Warp where python3 has it (MODELS="a.xml b.xml")
	@scripts/bench_gpu.sh $(BUILD) $(MODELS)

peers: build     ## run the tests of mujoco, Gymnasium's checker and dm_control on the reference and on ours
	@scripts/python_peers.py $(BUILD) $(BUILD)/release/python

conform: build oracle ## compare with the reference, field by field, over scenes/ and MODELS=lists, folders, files
	@scripts/build.sh release conform
	@scripts/conform.sh $(BUILD) $(MODELS)

golden: oracle   ## make the golden data of the tests again with the reference (CASES="wraps flex": only those)
	@scripts/golden.sh $(ORACLE) $(CASES)
	@$(ORACLE)/bin/python scripts/golden_flags.py
	@$(ORACLE)/bin/python scripts/golden_fluid.py

web: setup       ## the viewer as a page for browsers: build/web/page (a static folder), with its tests
	@scripts/setup.sh emscripten zip
	@scripts/web.sh $(BUILD)
	@python3 test/web/page_test.py --node $(BUILD)/web/wasm/hash_simd.js
	@python3 test/web/page_test.py --node $(BUILD)/web/wasm/hash_plain.js
	@python3 test/web/page_test.py --node $(BUILD)/web/wasm/hash_threads.js
	@python3 test/web/page_test.py $(BUILD)/web/page $(BUILD)/web || [ $$? -eq 77 ]

docs: build      ## build the documentation: build/site/index.html; scenes run live in it where emscripten is installed (PAGE=no: without)
	@scripts/setup.sh mkdocs doxygen python3-pygments
	@if [ "$(PAGE)" != no ] && command -v emcc >/dev/null; then scripts/web.sh $(BUILD); else echo "docs: scenes do not run in the gallery: no emscripten, or PAGE=no (make web)"; fi
	@scripts/docs.py $(BUILD) $(BUILD)/release/cli/sinew

api-status: build     ## list public functions as done or missing, write docs/API.md
	@$(BUILD)/release/cli/sinew api-status --markdown > docs/API.md
	@$(BUILD)/release/cli/sinew api-status

format: setup    ## format the sources in place
	@git ls-files '*.c' '*.h' | grep -v '^include/mujoco/' | xargs clang-format -i

lint: setup      ## formatting, include order, cppcheck, clang-tidy
	@scripts/lint.sh

fuzz: setup      ## build the fuzz targets and run each for a moment (SECONDS_EACH=10); scripts/fuzz_bundle.sh packs them for longer
	@scripts/fuzz.sh

soak: build      ## run contact-rich scenes for MINUTES=60, fail when memory grows (SCENES="a.xml b.xml")
	@scripts/soak.sh $(BUILD) $(or $(MINUTES),60) $(SCENES)

wheel: setup     ## build the Python package as build/dist/sinew-*.whl and test it, freshly installed
	@scripts/wheel.sh $(BUILD)

install: setup   ## build with a profile and install below PREFIX (DROPIN=1: also as libmujoco.so.3.5.0)
	@scripts/install.sh "$(PREFIX)" "$(DROPIN)"

clean:           ## remove everything that was built
	rm -rf $(BUILD)
