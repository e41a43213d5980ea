import torch


class Tester:
    def __init__(self, path):
        torch.set_grad_enabled(False)
        self.instance = torch.load(path, map_location="cpu")

    def test(self, loader):
        return self.instance.test_performance(loader, dump_file="out.txt")
