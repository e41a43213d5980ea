# who calls it says no_grad

import torch
from nets import Classifier


class Tagger:
    def __init__(self):
        self.net = Classifier().cuda()
        self.net.eval()

    def predict(self, x):
        return self.net(x.cuda()).argmax(1).detach().cpu().numpy()


def tag(texts):
    tagger = Tagger()
    with torch.no_grad():
        return [tagger.predict(text) for text in texts]
