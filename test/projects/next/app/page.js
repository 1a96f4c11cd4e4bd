export default function Page() {
  return <p>Where is my order?</p>
}
