# the step of each runner gives lists; that of the base class gives nothing

import torch


class Runner:
    def __init__(self, model, loader):
        self.model = model.cuda()
        self.loader = loader

    def step(self, batch):
        raise NotImplementedError

    def epoch(self):
        outputs = []
        with torch.no_grad():
            for batch in self.loader:
                outputs.append(self.step(batch.to("cuda:0").to_dict()))
        return outputs


class Generation(Runner):
    def step(self, batch):
        _, texts = self.model.generate(batch)
        return texts, batch["tgt_text"]


class Classification(Runner):
    def step(self, batch):
        return self.model(batch).argmax(-1).tolist(), batch["label"].tolist()
