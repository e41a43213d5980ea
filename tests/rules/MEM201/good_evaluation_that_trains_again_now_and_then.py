# code out of view trains again within the loop: under no_grad it would raise

import torch


class Predictor:
    def __init__(self, score, model, backbone, device):
        self.score, self._model, self.backbone, self._device = score, model, backbone, device

    def predict(self, x, back=None, train=False):
        self._model.eval()
        if back is not None:
            width = self._model(back[0].to(self._device)).float().std()
        if train:
            data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*back))
            self._model = self.score.train(data, model=self.backbone, device=self._device)
        with torch.no_grad():
            out = self._model(x.to(self._device))
        return out.cpu(), float(width)

    def evaluate(self, loader, back):
        self._model.eval()
        found = []
        for i, (x, y) in enumerate(loader):
            found.append(self.predict(x, back, train=i % 10 == 0))
        return found
