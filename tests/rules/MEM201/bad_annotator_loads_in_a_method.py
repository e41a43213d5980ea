# a method loads the network and says eval, another infers with it

import torch


class Annotator:
    def load(self, path):
        self.net = torch.load(path, map_location="cuda", weights_only=False)
        self.net.eval()

    def infer(self, picture):
        found = self.net(picture.unsqueeze(0).cuda())  #! MEM201 warning
        return found[0].detach().cpu().tolist()
