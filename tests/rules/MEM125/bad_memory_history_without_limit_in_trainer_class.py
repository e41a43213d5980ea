# memory history without limit, in a trainer class

import torch


class Runner:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.optimizer = torch.optim.AdamW(model.parameters())
        torch.cuda.memory._record_memory_history()  #! MEM125

    def run(self):
        for batch in self.loader:
            self.optimizer.zero_grad()
            with torch.autograd.set_detect_anomaly(True):  #! MEM125
                self.model(batch).sum().backward()
            self.optimizer.step()
        torch.cuda.memory._dump_snapshot("memory.pickle")
