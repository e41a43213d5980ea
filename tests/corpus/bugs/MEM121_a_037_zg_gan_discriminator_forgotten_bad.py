import torch
import torch.nn.functional as F


def train_vqgan(model, discriminator, perceptual, train_loader, n_epochs, device):
    optimizer_g = torch.optim.Adam(params=model.parameters(), lr=1e-4)
    optimizer_d = torch.optim.Adam(params=discriminator.parameters(), lr=5e-4)
    for epoch in range(n_epochs):
        model.train()
        discriminator.train()
        gen_loss = disc_loss = 0
        for step, batch in enumerate(train_loader):
            images = batch["image"].to(device)
            optimizer_g.zero_grad(set_to_none=True)
            reconstruction, quantization_loss = model(images)
            logits_fake = discriminator(reconstruction.contiguous().float())
            loss_g = F.l1_loss(reconstruction.float(), images.float()) + quantization_loss
            loss_g = loss_g + 0.001 * perceptual(reconstruction, images) - 0.01 * logits_fake.mean()
            loss_g.backward()
            optimizer_g.step()

            logits_fake = discriminator(reconstruction.contiguous().detach())
            logits_real = discriminator(images.contiguous().detach())
            loss_d = 0.5 * (F.relu(1 + logits_fake).mean() + F.relu(1 - logits_real).mean())
            loss_d.backward()  #! MEM121
            optimizer_d.step()
            gen_loss += loss_g.item()
            disc_loss += loss_d.item()
        print(epoch, gen_loss / (step + 1), disc_loss / (step + 1))
