# Both classes are of another file, and the script does no more with the network than to evaluate it.

from networks import LargeNet, MediumNet, SmallNet


def distill(args, loader):
    if args.large:
        teacher = LargeNet(args.classes)
    else:
        teacher = MediumNet(args.classes)
    teacher.load_state_dict(torch.load(args.checkpoint, map_location="cpu"))
    teacher.eval()
    student = SmallNet(args.classes)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for images, labels in loader:
        wanted = teacher(images)  #! MEM203
        given = student(images)
        loss = F.cross_entropy(given, labels) + F.kl_div(given.log_softmax(1), wanted.softmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
