import torch


class CheckpointMixin:
    def save(self):
        torch.save({"net": self.net.state_dict(), "epoch": self.epoch}, "c.pt")

    def resume(self, path):
        self.state = torch.load(path, map_location="cpu")
        self.net.load_state_dict(self.state["net"])
