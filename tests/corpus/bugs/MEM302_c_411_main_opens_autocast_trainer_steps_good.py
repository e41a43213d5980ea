import torch


class Trainer:
    def __init__(self, model, batches):
        self.model, self.batches = model, batches
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def _step(self, batch):
        self.optimizer.zero_grad()
        with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
            out = self.model(batch)
        out.float().pow(2).mean().backward()
        self.optimizer.step()

    def fit(self, epochs):
        for _ in range(epochs):
            for batch in self.batches:
                self._step(batch)


def main():
    model = torch.nn.Linear(16, 16).cuda()
    trainer = Trainer(model, torch.randn(30, 4, 16, device="cuda"))
    trainer.fit(epochs=5)


main()
