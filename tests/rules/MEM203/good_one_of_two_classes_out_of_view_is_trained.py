# One of the arms makes the network that the optimizer has, too.

from networks import LargeNet, SmallNet


def train(args, loader):
    student = SmallNet(args.classes)
    if args.mutual:
        peer = student
    else:
        peer = LargeNet(args.classes)
    peer.eval()
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for images, labels in loader:
        wanted = peer(images)
        loss = F.cross_entropy(student(images), labels) + F.mse_loss(student(images), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
