import numpy as np
import torch


class Ensemble:
    def __init__(self, models):
        self.models = [m.cuda().eval() for m in models]

    def predict_one(self, model, loader):
        with torch.no_grad():
            logits = [model(x.cuda()) for x, _ in loader] #! MEM103
        return torch.cat(logits).softmax(1).detach().cpu().numpy()

    def predict(self, loader):
        return np.mean([self.predict_one(m, loader) for m in self.models], axis=0).argmax(1)


if __name__ == "__main__":
    from cfg import load_models, test_loader
    np.save("pred.npy", Ensemble(load_models()).predict(test_loader()))
