# functions called from main: a second optimizer beside the scaled one

import torch
import torch.nn.functional as F


def training_step(encoder, head, batch, opt_encoder, opt_head, grad_scaler):
    images, labels = batch
    opt_encoder.zero_grad()
    opt_head.zero_grad()
    with torch.autocast(device_type="cuda"):
        loss = F.cross_entropy(head(encoder(images)), labels)
    grad_scaler.scale(loss).backward()
    grad_scaler.step(opt_encoder)
    opt_head.step()  #! MEM303 error
    grad_scaler.update()


def main():
    encoder, head = torch.nn.Linear(20, 20).cuda(), torch.nn.Linear(20, 4).cuda()
    opt_encoder = torch.optim.AdamW(encoder.parameters(), lr=1e-5)
    opt_head = torch.optim.AdamW(head.parameters(), lr=1e-3)
    grad_scaler = torch.amp.GradScaler("cuda")
    batch = (torch.randn(8, 20).cuda(), torch.randint(0, 4, (8,)).cuda())
    for _ in range(30):
        training_step(encoder, head, batch, opt_encoder, opt_head, grad_scaler)


if __name__ == "__main__":
    main()
