# an attack may differentiate what `predict` gives

from nets import Classifier


class Victim:
    def __init__(self):
        self.net = Classifier().cuda()
        self.net.eval()

    def predict(self, x):
        return self.net(x.cuda())
