from tqdm import tqdm
import torch


def train_detector(model, compute_loss, loader, optimizer, device, epochs):
    for epoch in range(epochs):
        model.train()
        mloss = torch.zeros(4, device=device)
        pbar = tqdm(enumerate(loader), total=len(loader))
        for i, (imgs, targets, paths) in pbar:
            imgs = imgs.to(device).float() / 255.0
            pred = model(imgs)
            lbox, lobj, lcls = compute_loss(pred, targets.to(device))
            loss = lbox + lobj + lcls
            loss_items = torch.stack((lbox, lobj, lcls, loss))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mloss = (mloss * i + loss_items) / (i + 1)  #! MEM101
            pbar.set_description(('%10s' + '%10.3g' * 4) % (epoch, *mloss.tolist()))
