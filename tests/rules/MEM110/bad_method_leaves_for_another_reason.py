# what the early return asks for does not change: each batch adds a hook

import torch


class Features:
    def __init__(self, model, enabled):
        self.model, self.enabled, self.keys = model, enabled, {}

    def hook_head(self):
        if not self.enabled:
            return
        self.model.head.register_forward_hook(lambda m, i, o: self.keys.update(head=o.detach()))  #! MEM110 warning

    def run(self, loader):
        with torch.inference_mode():
            for x in loader:
                self.hook_head()
                self.model(x)
                print(self.keys["head"].shape)
