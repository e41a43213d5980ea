# The script makes the teacher and does nothing with it but to ask it; the loss differentiates both of its arguments.

from networks import LargeNet, SmallNet

teacher = LargeNet(10).cuda()
student = SmallNet(10).cuda()
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for images, labels in loader:
    images, labels = images.cuda(), labels.cuda()
    wanted = teacher(images)  #! MEM203
    given = student(images)
    loss = F.cross_entropy(given, labels) + F.kl_div(given.log_softmax(1), wanted.softmax(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
