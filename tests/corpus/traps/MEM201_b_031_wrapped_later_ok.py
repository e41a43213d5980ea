import torch


def evaluate(net, dl, device="cuda"):
    net.eval()
    scores = []
    for x, _ in dl:
        scores.append(net(x.to(device)).softmax(-1)) #? MEM103
    return torch.cat(scores)


evaluate = torch.no_grad()(evaluate)


class Predictor:
    def __init__(self, net):
        self.net = net

    def _predict(self, dl):
        return [self.net(x).argmax(-1) for x, _ in dl]

    predict = torch.inference_mode()(_predict)
