import torch


def train_step(model, diffusion, x, y, opt, scaler, bfloat_enable):
    if bfloat_enable:
        with torch.amp.autocast('cuda', enabled=bfloat_enable, dtype=torch.bfloat16):
            loss = diffusion.training_losses(model, x, y).mean()
        scaler.scale(loss).backward()  #! MEM121
        scaler.step(opt)
        scaler.update()
    else:
        loss = diffusion.training_losses(model, x, y).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.detach()


def main(args, model, diffusion, loader, device):
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0)
    scaler = torch.amp.GradScaler('cuda')
    running_loss, log_steps = 0.0, 0
    for epoch in range(args.epochs):
        for x, y in loader:
            loss = train_step(model, diffusion, x.to(device), y.to(device), opt, scaler, args.bfloat16)
            running_loss += loss.item()
            log_steps += 1
            if log_steps % 100 == 0:
                print(epoch, running_loss / log_steps)
