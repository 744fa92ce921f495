"""What the tests share: scripts run in processes of their own, because which library runs is decided once per process."""

import os
import subprocess
import sys

import pytest


class Runner:
    """Runs Python code or commands in a folder of their own."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *arguments, **environment):
        environment = {**os.environ, **environment}
        return subprocess.run([sys.executable, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True,
                              timeout=120, check=False)

    def code(self, text, **environment):
        """The last line that the code prints; fails where it does not end well."""
        done = self.run("-c", text, **environment)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.strip().splitlines()
        return lines[-1] if lines else ""

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)


@pytest.fixture
def runner(tmp_path):
    return Runner(tmp_path)
