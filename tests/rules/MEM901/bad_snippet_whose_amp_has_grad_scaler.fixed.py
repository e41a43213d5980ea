# A snippet without imports: an amp that has a GradScaler is torch's, not Apex's

scaler = amp.GradScaler("cuda")
for images, labels in loader:
    optimizer.zero_grad()
    with amp.autocast("cuda"):
        loss = criterion(model(images.cuda()), labels.cuda())
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
