# the function reads back the weights that it has just written

import torch


class Recorder:
    def initial(self, path, model, config):
        state = model.cuda().state_dict()
        torch.save({"current": 0, "state": state, "config": config}, path)
        self.checkpoint = torch.load(path)  #! MEM701 warning
        model.load_state_dict(self.checkpoint["state"])
