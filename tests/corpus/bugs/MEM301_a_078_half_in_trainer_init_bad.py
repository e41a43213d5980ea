import torch
from torch import nn


class GlideTrainer:
    def __init__(self, glide_model, diffusion, lr=1e-5, use_fp16=True, device="cuda"):
        self.model = glide_model
        self.diffusion = diffusion
        if use_fp16:
            self.model.half()  #! MEM301
        self.model.to(device)
        self.optimizer = torch.optim.AdamW([p for p in self.model.parameters() if p.requires_grad], lr=lr)
        self.device = device

    def base_step(self, batch):
        tokens, masks, x = (t.to(self.device) for t in batch)
        t = torch.randint(0, 1000, (x.size(0),), device=self.device)
        noise = torch.randn_like(x)
        x_t = self.diffusion.q_sample(x, t, noise)
        eps = self.model(x_t.half(), t, tokens=tokens, mask=masks)
        return nn.functional.mse_loss(eps[:, :3].float(), noise)

    def run(self, loader, epochs):
        for epoch in range(epochs):
            for i, batch in enumerate(loader):
                self.optimizer.zero_grad()
                loss = self.base_step(batch)
                loss.backward()
                self.optimizer.step()
                if i % 50 == 0:
                    print(epoch, i, loss.item())
