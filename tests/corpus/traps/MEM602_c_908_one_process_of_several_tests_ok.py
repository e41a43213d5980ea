"""A test of its own joins a group of one; the test that loads a checkpoint is no rank of anything."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class TestResidual:
    def test_wrapped(self):
        dist.init_process_group("gloo", world_size=1, rank=0)
        model = DistributedDataParallel(nn.Linear(4, 4).cuda())
        assert model(torch.zeros(1, 4, device="cuda")).shape == (1, 4)

    def test_saved(self, tmp_path):
        model = nn.Linear(4, 4).cuda()
        torch.save(model.state_dict(), tmp_path / "model")
        model.eval()
        before = model(torch.ones(1, 4, device="cuda"))
        model.load_state_dict(torch.load(tmp_path / "model"))  #? MEM701
        assert torch.allclose(before, model(torch.ones(1, 4, device="cuda")))
