"""Tests of a loader: the batches that they collect are few, and compared."""
import unittest

import torch
from torch.utils.data import DataLoader


class FrameworkTestCase(unittest.TestCase):
    device = torch.device("cuda")


class LoaderTester(FrameworkTestCase):
    def test_resumes(self):
        def collect(loader):
            batches = []
            for batch in loader:
                batches.append(batch.to(self.device))
            return batches

        loader = DataLoader(torch.arange(12.0), batch_size=4)
        for one, other in zip(collect(loader), collect(loader)):
            assert torch.allclose(one, other)

    def test_weights_survive(self):
        net = torch.nn.Linear(2, 2).to(self.device)
        torch.save(net.state_dict(), "/tmp/w.pt")
        other = torch.nn.Linear(2, 2).to(self.device)
        other.load_state_dict(torch.load("/tmp/w.pt"))
        outputs = []
        for x in DataLoader(torch.rand(8, 2), batch_size=2):
            outputs.append(other(x.to(self.device)))
        self.assertEqual(len(outputs), 4)

    def test_adapters_start_as_nothing(self):
        x = torch.rand(4, 2).to(self.device)
        original = torch.nn.Linear(2, 2).to(self.device)
        before = original(x)
        adapter = torch.nn.Linear(2, 2).to(self.device)
        torch.nn.init.zeros_(adapter.weight)
        optimizer = torch.optim.SGD(adapter.parameters(), lr=1)
        optimizer.zero_grad()
        adapter(x).sum().backward()
        optimizer.step()
        assert not torch.equal(before, before + adapter(x))
