import torch


class AmpTrainer:
    def __init__(self, model, opt, window=8):
        self.model, self.opt, self.window = model, opt, window
        self.scaler = torch.amp.GradScaler("cuda")
        self.seen = 0

    def micro(self, batch):
        self.opt.zero_grad(set_to_none=True)  #! MEM124
        with torch.autocast("cuda", dtype=torch.float16):
            loss = self.model(**batch).loss / self.window
        self.scaler.scale(loss).backward()
        self.seen += 1
        if self.seen % self.window == 0:
            self.scaler.step(self.opt)
            self.scaler.update()
        return loss.item()

    def run(self, loader):
        for batch in loader:
            self.micro({k: v.cuda() for k, v in batch.items()})
