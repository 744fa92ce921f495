#!/usr/bin/env python3
"""sweep_mpi_test.py SINEW: a study by four ranks of mpirun, one of them killed, is resumed and ends in the file that one
process writes; first on this machine, then on two hosts made of network namespaces where those can be made. Exits with 77 (skipped)
where there is no mpirun or the program was built without MPI or HDF5."""
import contextlib
import filecmp
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED, SAMPLES = 77, 1200
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
STUDY = ["-v", "body_mass[trunk]*=uniform:0.8,1.2", "-v", "qpos[pitch]=normal:0,0.05", "-n", str(SAMPLES), "-t", "0.4",
         "-m", "max(abs(qpos[pitch]))", "-m", "h=last(qpos[up])", "--threads", "1", "--json"]

# what starts a daemon of MPI on the host of an address: a shell there, under the host's own name
AGENT = """#!/bin/sh
case $1 in *.1) host={0};; *) host={1};; esac
shift
exec ip netns exec $host unshare -u sh -c "hostname $host; $*"
"""


def children(parent):
    with open(f"/proc/{parent}/task/{parent}/children", encoding="utf-8") as file:
        return [int(word) for word in file.read().split()]


def wait_for(condition, what):
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    sys.exit(f"waited too long: {what}")


def content(path):
    with open(path, "rb") as file:
        return file.read()


class Local:
    """Four ranks here."""
    prefix = ["mpirun", "--oversubscribe", "-n", "4"]

    def ranks(self, run):
        return children(run.pid)


class Hosts:
    """Two ranks on each of two hosts, which are network namespaces with a cable between them."""

    def __init__(self, scratch):
        self.names = [f"sinew{os.getpid()}{end}" for end in "ab"]
        agent = f"{scratch}/agent"
        with open(agent, "w", encoding="utf-8") as file:
            file.write(AGENT.format(*self.names))
        os.chmod(agent, 0o755)
        net = "10.77.0"
        self.prefix = ["ip", "netns", "exec", self.names[0], "unshare", "-u", "sh", "-c", f'hostname {self.names[0]}; exec "$0" "$@"',
                       "mpirun", "--mca", "plm_rsh_agent", agent, "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", f"{net}.0/24",
                       "--mca", "oob_tcp_if_include", f"{net}.0/24", "--host", f"{net}.1:2,{net}.2:2", "-n", "4"]
        self.commands = [f"netns add {name}" for name in self.names]
        self.commands.append(f"link add cable netns {self.names[0]} type veth peer name cable netns {self.names[1]}")
        for k, name in enumerate(self.names):
            self.commands += [f"-n {name} addr add {net}.{k + 1}/24 dev cable", f"-n {name} link set lo up",
                              f"-n {name} link set cable up"]

    def open(self):
        """1: the hosts are there."""
        tools = all(shutil.which(tool) for tool in ("ip", "unshare", "hostname"))
        return tools and all(subprocess.run(["ip", *command.split()], capture_output=True).returncode == 0 for command in self.commands)

    def close(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)

    def ranks(self, _):
        """Those of the second host."""
        pids = subprocess.run(["ip", "netns", "pids", self.names[1]], check=True, capture_output=True, text=True).stdout.split()
        found = []
        for pid in pids:
            with contextlib.suppress(OSError), open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                if file.read().strip() == "sinew":
                    found.append(int(pid))
        return found


def study(where, nrank, command, one, path):
    """A study of which one rank is killed, and its end."""
    ranks = [*where.prefix, *command, "-o", path]
    with subprocess.Popen(ranks, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as run:
        # after the first results, one rank dies
        wait_for(lambda: os.path.exists(path) or run.poll() is not None, "the file")
        empty = content(path)
        wait_for(lambda: content(path) != empty or run.poll() is not None, "a result")
        victims = where.ranks(run)
        assert len(victims) == nrank, f"ended too soon: {victims}"
        os.kill(victims[-1], signal.SIGKILL)
        _, errors = run.communicate(timeout=120)
    assert run.returncode, "the run ended as if nothing had happened"
    assert "the same command goes on from there" in errors and "signal 9" in errors, errors

    # the rest, again by four
    result = subprocess.run(ranks, check=True, capture_output=True, text=True, env=ENVIRONMENT)
    report = json.loads(result.stdout)
    assert report["samples"] == SAMPLES and 0 < report["resumed"] < SAMPLES, report
    assert filecmp.cmp(one, path, shallow=False), "the files differ"
    print(f"{type(where).__name__}: killed after {report['resumed']} of {SAMPLES} samples, resumed, same file")


def main():
    sinew = sys.argv[1]
    folder = os.path.dirname(sinew)
    if not shutil.which("mpirun") or not all(os.path.exists(f"{folder}/sinew_{name}.so") for name in ("mpi", "hdf5")):
        print("no MPI or no HDF5: skipped")
        sys.exit(SKIPPED)
    command = [sinew, "sweep", os.path.abspath("scenes/hopper.xml"), *STUDY]
    with tempfile.TemporaryDirectory() as scratch:
        one = f"{scratch}/one.h5"
        subprocess.run([*command, "-o", one], check=True, capture_output=True, env=ENVIRONMENT)
        study(Local(), 4, command, one, f"{scratch}/four.h5")
        hosts = Hosts(scratch)
        try:
            if hosts.open():
                study(hosts, 2, command, one, f"{scratch}/hosts.h5")
            else:
                print("Hosts: network namespaces cannot be made here")
        finally:
            hosts.close()


main()
