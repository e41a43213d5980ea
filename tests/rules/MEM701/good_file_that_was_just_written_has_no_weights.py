# the function reads back what it has just written: numbers and settings

import torch


class Recorder:
    def initial(self, path, epochs, config):
        config["path"] = path
        torch.save({"epochs": epochs, "current": 0, "config": config}, path)
        self.checkpoint = torch.load(path)

    def resume(self, model, optimizer):
        model.cuda()
        optimizer.load_state_dict(self.checkpoint["optimizer"])
