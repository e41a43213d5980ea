"""Which scripts have a launcher of their own, so that `torchrun` is no advice for them."""

from __future__ import annotations

import pytest

from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.launchers import has_own_launcher


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import torch.multiprocessing as mp\nmp.spawn(work, nprocs=2)\n", True),
        ("from torch.multiprocessing import start_processes as start\nstart(work, nprocs=2)\n", True),
        ("from accelerate import Accelerator\n", True),
        ("import os\nrank = int(os.environ['SLURM_PROCID'])\n", True),
        ("parser.add_argument('--local_rank', type=int)\n", True),
        ("parser.add_argument('--local-rank', type=int)\n", True),
        ("import os\nparser.add_argument('--local_rank', default=int(os.getenv('LOCAL_RANK', 0)))\n", False),
        ("import os\nlocal_rank = int(os.environ['LOCAL_RANK'])\n", False),
        ("import torch.multiprocessing as mp\nmp.set_start_method('spawn')\n", False),
        ("import subprocess, sys\nsubprocess.Popen([sys.executable, __file__, '--rank', '1'])\n", True),
        ("import sys\nfrom subprocess import run\nrun([sys.executable, *sys.argv, '--rank=1'])\n", True),
        ("import os, sys\nos.spawnv(os.P_NOWAIT, sys.executable, ['python', __file__])\n", True),
        ("import os, sys\nos.execv(sys.executable, ['python', *sys.argv])\n", False),
        ("import subprocess\nsubprocess.run(['nvidia-smi'])\n", False),
        ("import subprocess, sys\nsubprocess.run([sys.executable, 'plot.py'])\n", False),
        ("parser.add_argument('--rank_of_matrix', type=int)\nx = b'SLURM_'\n", False),
    ],
)
def test_own_launchers(text: str, expected: bool) -> None:
    assert has_own_launcher(ScriptModel.parse(text)) is expected
