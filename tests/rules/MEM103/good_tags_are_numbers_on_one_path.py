# a tagger decodes lists of numbers, and what stands for it where it cannot is a list of numbers as well

import torch


class Scorer:
    def __init__(self, valid_loader):
        self.valid_loader = valid_loader

    def on_epoch_end(self, model, device):
        model.eval()
        predicted, expected = [], []
        with torch.no_grad():
            for inputs, labels in self.valid_loader:
                inputs = {k: v.to(device) if isinstance(v, torch.Tensor) else v for k, v in inputs.items()}
                if hasattr(model, "decode"):
                    predictions = model.decode(inputs)
                else:
                    predictions = model(inputs)["logits"].argmax(dim=-1).tolist()
                for tags, truth in zip(predictions, labels.tolist()):
                    kept = []
                    for tag, true in zip(tags, truth):
                        if true != 0:
                            kept.append(tag)
                    predicted.append(kept)
                    expected.append(truth)
        return predicted, expected
