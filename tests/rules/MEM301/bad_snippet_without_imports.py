# pasted from an article: the names mean what they say

model = model.half()  #! MEM301
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    loss = F.cross_entropy(model(x.half()), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
